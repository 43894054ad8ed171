import type { contract } from '@liquidity-os/contract'
import type { AssessmentKind } from '../assessed/report-kind.ts'
import { assessHealth } from './assess-health.ts'
import { captureHealth } from './capture-health.ts'
import { writeHealth } from './health-sentences.ts'

export const healthKind: AssessmentKind<contract.HealthReport> = {
  tag: 'health',
  capture: captureHealth,
  assess: assessHealth,
  write: writeHealth,
  figures: ({ areas }) =>
    areas.flatMap((area) => [...area.figures, ...area.findings.flatMap(({ figures }) => figures)]),
}
