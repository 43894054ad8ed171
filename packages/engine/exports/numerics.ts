export { exp } from '../src/numerics/exp.ts'
export { roundHalfEven, toPips } from '../src/numerics/half-even.ts'
export { ln, power } from '../src/numerics/ln.ts'
export { normalCdf, normalQuantile } from '../src/numerics/normal-distribution.ts'
