export { headlineOf } from './headline.ts'
export { labelOf } from './report-input.ts'
