export { pathNow } from './path-check.ts'
