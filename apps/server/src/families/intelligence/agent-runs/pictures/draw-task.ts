import type { Drawing } from '@liquidity-os/drawing'
import { drawDifferences } from './differences.ts'
import type { DrawnRun } from './drawn.ts'
import { drawJudgement } from './judgement.ts'
import { drawSentences } from './sentences.ts'
import { drawTrials } from './trials.ts'

export default (drawn: DrawnRun): Drawing[] =>
  drawn.run.kind === 'RESEARCH'
    ? [drawDifferences(drawn), drawTrials(drawn.run), drawSentences(drawn)]
    : [drawJudgement(drawn)]
