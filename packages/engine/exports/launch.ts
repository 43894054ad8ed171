export { type BootstrappingPool, priceWithoutTrades } from '../src/launch/bootstrapping-pool.ts'
