import type { Drawing } from '../../../../drawing/drawing.ts'
import { drawDifferences } from './differences.ts'
import type { DrawnRun } from './drawn.ts'
import { drawHealth } from './health.ts'
import { drawSentences } from './sentences.ts'
import { drawTrials } from './trials.ts'

export default (drawn: DrawnRun): Drawing[] =>
  drawn.run.kind === 'HEALTH'
    ? [drawHealth(drawn.run)]
    : [drawDifferences(drawn), drawTrials(drawn.run), drawSentences(drawn)]
