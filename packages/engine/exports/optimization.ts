export { type Certificate, certify } from '../src/optimization/certify.ts'
export {
  type LinearProgram,
  printLinearProgram,
  type Row,
  type Term,
  type Variable,
} from '../src/optimization/linear-program.ts'
export { LinearProgramError } from '../src/optimization/read-linear-program.ts'
export { type TailCut, tailCut } from '../src/optimization/tail-cut.ts'
