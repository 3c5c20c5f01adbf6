/** Texts to begin with; the pairs are those of the paper and some that the zoo adds. */

export type Example = { name: string; text: string };
export type Pair = { name: string; a: string; b: string };

const douglasRachford = `x1[k+1] = prox_{t f}(x3[k])
x2[k+1] = prox_{t g}(2*x1[k+1] - x3[k])
x3[k+1] = x3[k] + x2[k+1] - x1[k+1]`;

const admm = `x[k+1] = prox_{(1/rho) f}(z[k] - u[k])
z[k+1] = prox_{(1/rho) g}(x[k+1] + u[k])
u[k+1] = u[k] + x[k+1] - z[k+1]`;

const chambollePock = `operator A: X -> Y
x[k+1] = prox_{tau f}(x[k] - tau*A'*y[k])
y[k+1] = prox_{sigma g*}(y[k] + sigma*A*(2*x[k+1] - x[k]))`;

export const single: Example[] = [
  {
    name: "Nesterov, in LaTeX",
    text: `\\begin{align}
y_k &= x_k + \\beta (x_k - x_{k-1}) \\\\
x_{k+1} &= y_k - \\alpha \\nabla f(y_k)
\\end{align}`,
  },
  { name: "Douglas–Rachford", text: douglasRachford },
  { name: "ADMM by minimizations", text: `x^{k+1} = \\arg\\min_x f(x) + \\frac{\\rho}{2}\\|x - z^k + u^k\\|^2 \\\\
z^{k+1} = \\arg\\min_z g(z) + \\frac{\\rho}{2}\\|x^{k+1} - z + u^k\\|^2 \\\\
u^{k+1} = u^k + x^{k+1} - z^{k+1}` },
  { name: "Extragradient", text: `y[k] = x[k] - t*F(x[k])\nx[k+1] = x[k] - t*F(y[k])` },
  { name: "PD3O", text: `operator A: X -> Y
x[k+1] = prox_{tau f}(z[k])
s[k+1] = prox_{sigma g*}((I - tau*sigma*A*A')*s[k] + sigma*A*(2*x[k+1] - z[k] - tau*grad h(x[k+1])))
z[k+1] = x[k+1] - tau*grad h(x[k+1]) - tau*A'*s[k+1]` },
  { name: "FISTA", text: `t[k+1] = (1 + sqrt(1 + 4*t[k]^2))/2
y[k] = x[k] + (t[k] - 1)/t[k+1]*(x[k] - x[k-1])
x[k+1] = prox_{s g}(y[k] - s*grad f(y[k]))` },
  { name: "Unicode", text: `xₖ₊₁ = xₖ − α∇f(xₖ) + β(xₖ − xₖ₋₁)` },
  { name: "A mistake", text: `x[k+1] = x[k] - alpha*gard f(x[k])` },
];

const gradientFifth = `x[k+1] = x[k] - 1/5*grad f(x[k])`;

/** The pairs of the paper come first. */
export const pairs: Pair[] = [
  { name: "Douglas–Rachford and ADMM", a: douglasRachford, b: admm },
  {
    name: "The same calls in other variables",
    a: `x1[k+1] = 2*x1[k] - x2[k] - 1/10*grad f(2*x1[k] - x2[k])
x2[k+1] = x1[k]`,
    b: `xi1[k+1] = xi1[k] - xi2[k] - 1/5*grad f(xi1[k])
xi2[k+1] = xi2[k] + 1/10*grad f(xi1[k])`,
  },
  {
    name: "A state that nobody sees",
    a: `x1[k+1] = 3*x1[k] - 2*x2[k] + 1/5*grad f(-x1[k] + 2*x2[k])
x2[k+1] = x1[k]`,
    b: gradientFifth,
  },
  {
    name: "Proximal gradient and its conjugate",
    a: `x[k+1] = prox_{t g}(x[k] - t*grad f(x[k]))`,
    b: `y[k] = x[k] - t*grad f(x[k])
x[k+1] = y[k] - t*prox_{(1/t) g*}(y[k]/t)`,
  },
  {
    name: "Chambolle–Pock and Douglas–Rachford, A = I",
    a: chambollePock,
    b: douglasRachford,
  },
  {
    name: "Extrapolation from the past and reflected gradient",
    a: `y[k] = x[k] - eta*F(y[k-1])
x[k+1] = x[k] - eta*F(y[k])`,
    b: `x[k+1] = x[k] - eta*F(2*x[k] - x[k-1])`,
  },
  {
    name: "Triple momentum and quasi-hyperbolic momentum",
    a: `y[k] = x[k] + gamma*(x[k] - x[k-1])
x[k+1] = x[k] + beta*(x[k] - x[k-1]) - alpha*grad f(y[k])`,
    b: `m[k+1] = b*m[k] + (1 - b)*grad f(x[k])
x[k+1] = x[k] - a*((1 - nu)*grad f(x[k]) + nu*m[k+1])`,
  },
  {
    name: "NIDS and exact diffusion",
    a: `operator W: X -> X
x[k+2] = W*(2*x[k+1] - x[k] - alpha*grad f(x[k+1]) + alpha*grad f(x[k]))`,
    b: `operator W: X -> X
x[k+1] = w[k] - alpha*grad f(w[k])
w[k+1] = W*(x[k+1] + w[k] - x[k])`,
  },
  {
    name: "PD3O, twice",
    a: `operator A: X -> Y
x[k] = prox_{tau f}(v[k])
s[k+1] = prox_{sigma g*}((I - tau*sigma*A*A')*s[k] + sigma*A*(2*x[k] - v[k] - tau*grad h(x[k])))
v[k+1] = x[k] - tau*grad h(x[k]) - tau*A'*s[k+1]`,
    b: `operator A: X -> Y
s[k+1] = prox_{sigma g*}(s[k] + sigma*A*w[k])
x[k+1] = prox_{tau f}(x[k] - tau*grad h(x[k]) - tau*A'*s[k+1])
w[k+1] = 2*x[k+1] - x[k] + tau*grad h(x[k]) - tau*grad h(x[k+1])`,
  },
  {
    name: "In logarithms",
    a: `x[k+1] = x[k]*exp(-1/5*grad f(log x[k]))`,
    b: gradientFifth,
  },
  {
    name: "Two iterations as one",
    a: `x[k+1] = x[k] - t*grad f(x[k])`,
    b: `y[k] = x[k] - t*grad f(x[k])\nx[k+1] = y[k] - t*grad f(y[k])`,
  },
  {
    name: "Up to a shift",
    a: `x[k+1] = prox_{t f}(w[k])
w[k+1] = x[k+1] - t*grad g(x[k+1])`,
    b: `x[k+1] = prox_{t f}(x[k] - t*grad g(x[k]))`,
  },
  {
    name: "Proximal point and gradient of the envelope",
    a: `x[k+1] = prox_{t f}(x[k])`,
    b: `x[k+1] = x[k] - t*grad env_{t f}(x[k])`,
  },
  {
    name: "Not the same: Nesterov and heavy ball",
    a: `y[k] = x[k] + beta*(x[k] - x[k-1])\nx[k+1] = y[k] - alpha*grad f(y[k])`,
    b: `x[k+1] = x[k] + b*(x[k] - x[k-1]) - a*grad f(x[k])`,
  },
];
