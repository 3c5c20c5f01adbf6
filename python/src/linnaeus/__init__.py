"""Linnaeus tells when two iterative optimization algorithms are the same.

An algorithm that calls oracles (gradients, proximal operators, projections, …) and updates its state linearly is a matrix of
rational functions, its transfer matrix H(z). It is computed exactly, with every parameter left as a symbol.

>>> import linnaeus
>>> dr = linnaeus.parse('''
... x1[k+1] = prox_{t f}(x3[k])
... x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])
... x3[k+1] = x3[k] + x2[k+1] - x1[k+1]
... ''')
>>> print(dr.transfer)
[-1/(z - 1)         1/(z - 1)]
[(2*z - 1)/(z - 1)  -1/(z - 1)]
>>> verdict = linnaeus.compare(dr, linnaeus.zoo["admm_scaled"])
>>> verdict.relation, dict(verdict.parameters)
('permutation', {'rho': '1/t'})
>>> linnaeus.identify(dr)[0].slug
'douglas_rachford'
"""

from . import _native
from ._algorithm import Algorithm, parse
from ._builder import argmin, grad, inner, moreau, proj, prox, reflect, resolvent, sqrt, square, subgrad
from ._display import Diagram
from ._errors import Diagnostic, Label, LinnaeusError, NoClosedForm, Position, ReadError, Span, TransformError
from ._identify import Match, Matches, NearMiss, Record, identify, identify_many
from ._parts import Call, Channel, Form, Forms, Guess, I, Identity, Line, Operator, Signal
from ._scan import Link, Listing, Name, Place, Printed, Problem, Scan, scan
from ._transfer import Cost, Realization, TransferMatrix
from ._verdict import Branch, Obstruction, Verdict, compare
from ._zoo import Card, Edge, Related, Zoo, zoo

#: The version of the package and of the engine inside.
__version__: str = _native.__version__

__all__ = [
    "Algorithm",
    "Branch",
    "Call",
    "Card",
    "Channel",
    "Cost",
    "Diagnostic",
    "Diagram",
    "Edge",
    "Form",
    "Forms",
    "Guess",
    "I",
    "Identity",
    "Label",
    "Line",
    "Link",
    "LinnaeusError",
    "Listing",
    "Match",
    "Matches",
    "Name",
    "NearMiss",
    "NoClosedForm",
    "Obstruction",
    "Operator",
    "Place",
    "Position",
    "Printed",
    "Problem",
    "ReadError",
    "Realization",
    "Record",
    "Related",
    "Scan",
    "Signal",
    "Span",
    "TransferMatrix",
    "TransformError",
    "Verdict",
    "Zoo",
    "__version__",
    "argmin",
    "compare",
    "grad",
    "identify",
    "identify_many",
    "inner",
    "moreau",
    "parse",
    "proj",
    "prox",
    "reflect",
    "resolvent",
    "scan",
    "sqrt",
    "square",
    "subgrad",
    "zoo",
]
