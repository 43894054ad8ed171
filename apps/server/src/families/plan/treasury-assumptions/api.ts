export { baseOf, baseScenarioOf } from './base-scenario.ts'
export { equalsObligation } from './obligation-faults.ts'
