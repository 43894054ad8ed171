export * from './console-areas.ts'
export * from './encode.ts'
export * from './envelope.ts'
export * from './error-codes-of.ts'
export * from './errors.ts'
export * from './family.ts'
export { csvMediaType, xlsxMediaType } from './files.ts'
export * from './identity.ts'
export { type MarketPage, marketPageHosts, parseMarketPage } from './market-page.ts'
export {
  type Better,
  type Measure,
  type MeasureUnit,
  measureKeywords,
  splitMeasure,
} from './measures.ts'
export { takesBody } from './methods.ts'
export * from './openapi.ts'
export * from './operation.ts'
export * as contract from './operations.ts'
export { parsePastedAddress } from './pasted-address.ts'
export { responseExamples } from './response-examples.ts'
export * from './scalars.ts'
export { servedWhenFull } from './served-when-full.ts'
export {
  apiVersion,
  basePath,
  extensionOperations,
  families,
  operationById,
  operations,
  recordFamilies,
} from './table.ts'
export {
  isTestNetwork,
  simulatedMark,
  simulatedMarketOf,
  testNetworksIn,
  unnamedSimulatedMarket,
} from './test-networks.ts'
