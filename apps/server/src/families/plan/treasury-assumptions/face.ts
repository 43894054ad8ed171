export { equalsObligation } from './obligation-faults.ts'
