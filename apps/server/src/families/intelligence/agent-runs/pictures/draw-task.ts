import type { Drawing } from '../../../../drawing/drawing.ts'
import type { Run } from '../records.ts'
import { drawDifferences } from './differences.ts'
import { drawHealth } from './health.ts'
import { drawTrials } from './trials.ts'

export default (run: Run): Drawing[] =>
  run.kind === 'HEALTH' ? [drawHealth(run)] : [drawTrials(run), drawDifferences(run)]
