import type { Drawing } from '../../../../drawing/drawing.ts'
import type { Run } from '../records.ts'
import { drawDifferences } from './differences.ts'
import { drawTrials } from './trials.ts'

export default (run: Run): Drawing[] => [drawTrials(run), drawDifferences(run)]
