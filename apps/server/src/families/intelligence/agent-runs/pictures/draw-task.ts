import { type Drawing, type Paper, usualPaper } from '@liquidity-os/drawing'
import { drawAssessment } from './assessment.ts'
import { drawDifferences } from './differences.ts'
import type { DrawnRun } from './drawn.ts'
import { drawSentences } from './sentences.ts'
import { drawTrials } from './trials.ts'

export default (drawn: DrawnRun, paper: Paper = usualPaper): Drawing[] =>
  drawn.run.kind === 'RESEARCH'
    ? [drawDifferences(drawn, paper), drawTrials(drawn.run, paper), drawSentences(drawn, paper)]
    : [drawAssessment(drawn, paper)]
