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
    state: oneOf(researchStates, 'State of the report.'),
    assessesMarketHealth: Type.Boolean({
      description:
        'True only for COMPLETED health; research describes models, not the current market.',
    }),
    report: Type.Union([ResearchReport, HealthReport, ProposalReviewReport, PublicProjectReport]),
    resultHash: Hash,
    narration: ToldNarration,
    verification: closed({
      verifiedAt: Type.String({ format: 'date-time', description: 'Time of this read.' }),
      checks: list(
        closed({
          code: oneOf(
            runChecks,
            'Recomputed items. Runs without research have no protocol, receipt or trial order in the log; FIGURES_CITED compares each of their figures with the sealed evidence. WORDS_FAITHFUL applies to runs with sentences in model wording.',
          ),
          ok: Type.Literal(true, {
            description: 'Always true. A failed check returns 503 instead of a result.',
          }),
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
            'Leaves of the proof log that contain the events; null if the log does not contain them yet or no such event exists.',
        },
      ),
    }),
    limitations: list(Type.String(), 32),
    modeledWorkOnly: Type.Boolean({
      description: 'True for research. Other runs describe observed or prepared data.',
    }),
    ...noAuthority,
  }),
)
export type AgentRunResult = Static<typeof AgentRunResult>
