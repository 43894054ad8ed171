/** What other families may use of workflows: what observations add up to, by pure functions. */
export { liquidityComparison } from './liquidity-comparison.ts'
export { projectHealth } from './project-health.ts'
export type { Conclusion } from './workflow.ts'
