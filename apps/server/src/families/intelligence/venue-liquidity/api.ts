export { priceX36At } from './price-ranges.ts'
