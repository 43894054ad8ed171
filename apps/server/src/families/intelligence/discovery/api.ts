/** What other families may use of public discovery: the reading of a token, and answers that were told a while ago. */
export { findToken, type Meant, meantBy, readsNoChain } from './find-token.ts'
export { ReadingError } from './reading/public-reader.ts'
export type { Analysis } from './reading/read-project.ts'
export { toldAnalysis } from './told-analyses.ts'
