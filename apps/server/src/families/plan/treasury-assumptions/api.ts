export { baseOf, baseScenarioOf } from './base-scenario.ts'
export { equalsObligation } from './validate-obligation.ts'
