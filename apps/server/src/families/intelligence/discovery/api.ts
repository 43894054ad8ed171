/** Discovery functions for other families: token reading and recent answers. */
export { type CatalogueToken, catalogue } from './catalogue/catalogue.ts'
export { fold as foldText, search as searchCatalogue } from './catalogue/search.ts'
export { findToken, type Meant, meantBy, readsNoChain, type TokenLookup } from './find-token.ts'
export { findAnalysis } from './published-analyses.ts'
export { ReadingError } from './reading/public-reader.ts'
export type { Analysis } from './reading/read-project.ts'
