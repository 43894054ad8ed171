export { stationaryBootstrapIndices } from '../src/random/draws.ts'
export { type DrawStream, pathStream, type StreamName } from '../src/random/streams.ts'
export { type RandomStream, randomStream, xoshiro128 } from '../src/random/xoshiro128.ts'
