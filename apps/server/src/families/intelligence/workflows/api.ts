/** Public API of workflows: pure conclusions from observations. */
export { liquidityComparison } from './liquidity-comparison.ts'
export { projectHealth } from './project-health.ts'
export type { Conclusion } from './workflow.ts'
