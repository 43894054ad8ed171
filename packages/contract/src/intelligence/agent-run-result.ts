import Type, { type Static } from 'typebox'
import { noAuthority } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull } from '../scalars.ts'
import { Count, RunKind } from './agent-run.ts'
import { HealthReport } from './health-report.ts'
import { ToldNarration } from './narration.ts'
import { ProposalReviewReport } from './proposal-review-report.ts'
import { PublicProjectReport } from './public-project-report.ts'
import { ResearchReport, researchStates } from './research-report.ts'

export const runChecks = [
  'PROTOCOL_HASH',
  'CAPTURE_ITEMS',
  'CAPTURE_ROOT',
  'RECEIPTS',
  'EVENT_ORDER',
  'LOG_ORDER',
  'REPORT_REBUILT',
  'NARRATIVE_GROUNDED',
  'FIGURES_CITED',
  'WORDS_FAITHFUL',
  'RESULT_HASH',
] as const
export type RunCheck = (typeof runChecks)[number]

export const AgentRunResult = named(
  'AgentRunResult',
  closed({
    runId: Type.String({ maxLength: 160 }),
    kind: RunKind,
    state: oneOf(researchStates, 'That of the report.'),
    assessesMarketHealth: Type.Boolean({
      description:
        'True of COMPLETED health only: research is about models, not about the market as it is.',
    }),
    report: Type.Union([ResearchReport, HealthReport, ProposalReviewReport, PublicProjectReport]),
    resultHash: Hash,
    narration: ToldNarration,
    verification: closed({
      verifiedAt: Type.String({ format: 'date-time', description: 'Of this very reading.' }),
      checks: list(
        closed({
          code: oneOf(
            runChecks,
            'What was recomputed. Of what is judged there is no protocol, receipt or order in the log; FIGURES_CITED holds each figure of it against the sealed evidence. WORDS_FAITHFUL is of a run whose sentences have words of a model.',
          ),
          ok: Type.Literal(true, { description: 'Where one fails there is no answer but 503.' }),
        }),
        16,
      ),
      captureHash: Hash,
      draftHash: Hash,
      protocolHash: orNull(Hash),
      logged: closed(
        {
          protocol: orNull(Count),
          capture: orNull(Count),
          firstReceipt: orNull(Count),
        },
        {
          description:
            'Leaves of the proof log that hold the events; null where the log does not hold it yet, or there is no such event.',
        },
      ),
    }),
    limitations: list(Type.String(), 32),
    modeledWorkOnly: Type.Boolean({
      description: 'True of research. What is judged is what was observed or prepared.',
    }),
    ...noAuthority,
  }),
)
export type AgentRunResult = Static<typeof AgentRunResult>
