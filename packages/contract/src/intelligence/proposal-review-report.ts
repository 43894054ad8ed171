import Type, { type Static } from 'typebox'
import { Gap, Ref } from '../envelope.ts'
import { proposalFlagCodes } from '../operate/proposal-packet.ts'
import { closed, Hash, list, named, oneOf, orNull, Timestamp } from '../scalars.ts'
import { CitedFigure, findingOf } from './cited-figure.ts'
import { Narrative, researchStates } from './research-report.ts'

/** What of a proposal is judged, in the order in which it is told. SERIES is judged of several packets only. */
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
  'A flag of the packet under its own code, as it stands now. SIMULATION_STALE: it was simulated so long ago that the chain may be another. RULE_DENIED, RULE_INDETERMINATE: a rule of the policy. CONTROL_MOVED: the vault is of another control epoch than the packet. NONCE_PASSED: the packet fixed a nonce that the Safe has used. NONCE_MOVED: the hashes that it shows are of an earlier nonce. EXECUTION_VIOLATING, EXECUTION_UNEXPECTED: what was executed of it broke the policy, or moved something else. SERIES_STARTED: part of it is executed, and part is not. SERIES_REVOKED: part of it will not be. NONCES_APART: its nonces do not follow each other. SELF_APPROVAL: whoever prepared it has approved it. EXPIRES_SOON: within a day.',
)

const Disagreement = findingOf(
  [
    ...(['ACTION_UNSAID', 'ACTION_NOT_MADE', 'ADDRESS_NOT_CALLED'] as const),
    ...(['AMOUNT_NOT_CALLED', 'TEXT_HIDES'] as const),
  ],
  'Where title and summary say another thing than the calls. ACTION_UNSAID: the calls do what no word of the text says. ACTION_NOT_MADE: the text has a word for what no call does. ADDRESS_NOT_CALLED: an address of the text stands in no call. AMOUNT_NOT_CALLED: a figure before a symbol, such as 5,000 USDC, is no amount of a call, in atoms or by the decimals of the pair or the coin. TEXT_HIDES: the text holds characters that cannot be seen.',
)

const Unanswered = closed({
  code: oneOf(
    [
      ...(['QUESTION_OPEN', 'NO_SUMMARY', 'NO_EXPECTED_EFFECTS', 'NO_SOURCES'] as const),
      ...(['NO_POLICY', 'ROUTE_UNSAID'] as const),
    ],
    'QUESTION_OPEN: a comment asks, and no resolution answers. NO_EXPECTED_EFFECTS: the packet expects nothing, so that no effect is outside of it. NO_SOURCES: it says not of what it comes. NO_POLICY: no policy of the vault judges it. ROUTE_UNSAID: it says not how it is to come to the chain.',
  ),
  figures: list(CitedFigure, 8),
})

const Changed = closed({
  code: oneOf(
    [
      ...(['PACKET', 'PHASE', 'APPROVALS', 'COMMENT', 'DECISION', 'FLAG_RAISED'] as const),
      ...(['FLAG_CLEARED', 'POLICY_VERDICT', 'SIMULATION', 'SOURCE', 'EXECUTION'] as const),
    ],
    'What is other than at the review before: the packet itself, its phase, its approvals, a comment or a decision that came, a flag that was raised or is gone, the verdict of the policy on a packet, the simulation, a source that has another version now, or a packet that was executed or revoked.',
  ),
  before: orNull(CitedFigure),
  after: orNull(CitedFigure),
})

/** What a review is, whatever it found. */
export const reviewStatement =
  'A review approves nothing and refuses nothing: people agree by their decisions, and owners of the Safe sign.'

/** What is wrong with a proposal, open or another than its text says, each by sealed evidence. It is no decision. */
export const ProposalReviewReport = named(
  'ProposalReviewReport',
  closed({
    reportVersion: Type.Literal('proposal-review-report-v1'),
    state: oneOf(
      researchStates,
      'COMPLETED: every area that applies could be judged. PARTIAL: some could not. ABSTAINED: neither what the calls do nor what they would move is known, and there is no verdict.',
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
        'The worst of what was found. NOTHING_FOUND is that no rule found anything, and no approval.',
      ),
    ),
    areas: list(
      closed({
        area: oneOf(reviewAreas, 'What is judged.'),
        verdict: orNull(oneOf(reviewVerdicts, 'Null where it could not be judged.')),
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
        { description: 'The review before, and what is other now; null of the first.' },
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
