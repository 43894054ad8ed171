import Type, { type Static } from 'typebox'
import { Gap, Ref } from '../envelope.ts'
import { proposalFlagCodes } from '../operate/proposal-packet.ts'
import { closed, Hash, list, named, oneOf, orNull, Timestamp } from '../scalars.ts'
import { CitedFigure, findingOf } from './cited-figure.ts'
import { Narrative, researchStates } from './research-report.ts'

/** Reviewed areas of a proposal, in report order. SERIES applies to several packets only. */
export const reviewAreas = [
  ...(['CALLS', 'EFFECTS', 'POLICY', 'SAFE', 'SERIES', 'SOURCES', 'PEOPLE'] as const),
] as const
export type ReviewArea = (typeof reviewAreas)[number]

export const reviewVerdicts = ['NOTHING_FOUND', 'ATTENTION', 'CRITICAL'] as const
export type ReviewVerdict = (typeof reviewVerdicts)[number]

const ReviewFinding = findingOf(
  [
    ...proposalFlagCodes,
    ...(['SIMULATION_STALE', 'RULE_DENIED', 'RULE_INDETERMINATE'] as const),
    ...(['VAULT_RETIRED', 'VAULT_PAUSED', 'VAULT_UNQUALIFIED', 'SNAPSHOT_STALE'] as const),
    ...(['CONTROL_MOVED', 'NONCE_PASSED', 'NONCE_MOVED', 'EXECUTION_VIOLATING'] as const),
    ...(['EXECUTION_UNEXPECTED', 'SERIES_STARTED', 'SERIES_REVOKED', 'NONCES_APART'] as const),
    ...(['BLOCKER_OPEN', 'SELF_APPROVAL', 'EXPIRES_SOON'] as const),
  ],
  'A packet flag under its own code, as of now. SIMULATION_STALE: the simulation is too old for the current chain state. RULE_DENIED, RULE_INDETERMINATE: a policy rule. CONTROL_MOVED: the vault has another control epoch than the packet. NONCE_PASSED: the Safe already used the fixed nonce of the packet. NONCE_MOVED: the shown hashes use an earlier nonce. EXECUTION_VIOLATING, EXECUTION_UNEXPECTED: its execution broke the policy, or had other effects. SERIES_STARTED: the series is partly executed. SERIES_REVOKED: a part of the series will not be executed. NONCES_APART: the nonces are not consecutive. SELF_APPROVAL: a preparer approved it. EXPIRES_SOON: within a day.',
)

const Disagreement = findingOf(
  [
    ...(['ACTION_UNSAID', 'ACTION_NOT_MADE', 'ADDRESS_NOT_CALLED'] as const),
    ...(['AMOUNT_NOT_CALLED', 'TEXT_HIDES'] as const),
  ],
  'Mismatches between title or summary and calls. ACTION_UNSAID: the text omits an action of the calls. ACTION_NOT_MADE: the text names an action without a call. ADDRESS_NOT_CALLED: no call contains an address of the text. AMOUNT_NOT_CALLED: a figure before a symbol, such as 5,000 USDC, matches no call amount, in atoms or by the decimals of the pair or the coin. TEXT_HIDES: the text contains invisible characters.',
)

const Unanswered = closed({
  code: oneOf(
    [
      ...(['QUESTION_OPEN', 'NO_SUMMARY', 'NO_EXPECTED_EFFECTS', 'NO_SOURCES'] as const),
      ...(['NO_POLICY', 'ROUTE_UNSAID'] as const),
    ],
    'QUESTION_OPEN: a comment question without a resolution. NO_EXPECTED_EFFECTS: the packet declares no expected effects, so no effect counts as unexpected. NO_SOURCES: the packet names no sources. NO_POLICY: no vault policy covers it. ROUTE_UNSAID: the packet names no delivery route.',
  ),
  figures: list(CitedFigure, 8),
})

const Changed = closed({
  code: oneOf(
    [
      ...(['PACKET', 'PHASE', 'APPROVALS', 'COMMENT', 'DECISION', 'FLAG_RAISED'] as const),
      ...(['FLAG_CLEARED', 'POLICY_VERDICT', 'SIMULATION', 'SOURCE', 'EXECUTION'] as const),
    ],
    'Difference from the previous review: the packet, its phase, its approvals, a new comment or decision, a raised or cleared flag, the policy result of a packet, the simulation, a newer version of a source, or a packet that was executed or revoked.',
  ),
  before: orNull(CitedFigure),
  after: orNull(CitedFigure),
})

/** Statement in every review, regardless of its findings. */
export const reviewStatement =
  'A review approves nothing and refuses nothing: people agree by their decisions, and owners of the Safe sign.'

/**
 * Problems, open points and contradictions of a proposal, each with sealed evidence. Not a
 * decision.
 */
export const ProposalReviewReport = named(
  'ProposalReviewReport',
  closed({
    reportVersion: Type.Literal('proposal-review-report-v1'),
    state: oneOf(
      researchStates,
      'COMPLETED: all applicable areas were assessed. PARTIAL: some areas were not assessed. ABSTAINED: neither calls nor effects are known, and no verdict exists.',
    ),
    reasons: list(Type.String({ maxLength: 80 }), 16),
    question: orNull(Type.String()),
    proposal: Ref,
    about: list(CitedFigure, 8, {
      description: 'The packet and the state of its review, by the hashes that people decide on.',
    }),
    asOf: Timestamp,
    captureHash: Hash,
    verdict: orNull(
      oneOf(
        reviewVerdicts,
        'Worst finding. NOTHING_FOUND: no rule matched; this is not an approval.',
      ),
    ),
    areas: list(
      closed({
        area: oneOf(reviewAreas, 'Assessed area.'),
        verdict: orNull(oneOf(reviewVerdicts, 'Null if not assessed.')),
        figures: list(CitedFigure, 256),
        findings: list(ReviewFinding, 1200, { description: 'The worst first.' }),
      }),
      7,
    ),
    disagreements: list(Disagreement, 64),
    unanswered: list(Unanswered, 512),
    since: orNull(
      closed(
        {
          run: Ref,
          resultHash: Hash,
          changes: list(Changed, 512),
        },
        { description: 'Previous review and the differences from it; null for the first review.' },
      ),
    ),
    gaps: list(Gap, 64),
    limitations: list(Type.String({ maxLength: 400 }), 32),
    statement: Type.Literal(reviewStatement),
    approvalGranted: Type.Literal(false),
    narrative: Narrative,
  }),
)
export type ProposalReviewReport = Static<typeof ProposalReviewReport>
