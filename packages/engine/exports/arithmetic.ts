export { integerSquareRoot, Q96, type Rat } from '../src/arithmetic/integer.ts'
export { shareOutPips } from '../src/arithmetic/share-out.ts'
