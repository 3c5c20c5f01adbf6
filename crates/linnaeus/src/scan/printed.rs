/// x
#[derive(Clone, Debug)]
pub struct Printed;
