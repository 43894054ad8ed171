import Type, { type Static } from 'typebox'
import { Gap, noAuthority, Ref, versioned } from '../envelope.ts'
import { measured, pips, unitless } from '../measures.ts'
import { closed, Hash, list, named, oneOf, orNull, Pips, RecordId, Timestamp } from '../scalars.ts'
import { HealthReport, HealthSubject } from './health-report.ts'
import { Narration } from './narration.ts'
import { ProjectSubject, PublicProjectReport } from './public-project-report.ts'
import {
  ResearchClarification,
  ResearchFeasibility,
  ResearchQuestion,
  TrialKeyName,
} from './research-protocol.ts'
import { ResearchReport, TrialState } from './research-report.ts'

export const Count = Type.Integer({ minimum: 0 })

export const runPhases = [
  'QUEUED',
  'PLANNING',
  'AWAITING_APPROVAL',
  'CAPTURING',
  'ANALYSING',
  'DRAFTING',
  'VERIFYING',
  'COMPLETED',
  'PARTIAL',
  'ABSTAINED',
  'FAILED',
  'CANCELLED',
] as const
export type RunPhase = (typeof runPhases)[number]
export const Phase = oneOf(
  runPhases,
  'Phase of the run. A PAUSED run resumes in the same phase; only AWAITING_APPROVAL waits for a person.',
)

export const runCommands = [
  'APPROVE_PLAN',
  'REVISE_PLAN',
  'ANSWER',
  'PAUSE',
  'RESUME',
  'RETRY_STEP',
  'EXTEND_BUDGET',
  'CANCEL',
] as const
export type RunCommandName = (typeof runCommands)[number]
export const AllowedCommands = list(oneOf(runCommands, 'Commands that the run accepts now.'), 8)

export const Mode = oneOf(
  ['AUTO', 'STEPWISE'],
  'AUTO continues automatically after approval of the plan; STEPWISE stops after every settled step until RESUME.',
)

export const budget = {
  maximumSteps: Type.Integer({
    minimum: 1,
    maximum: 200,
    description:
      'Maximum number of settled steps; planning, capture, each trial, draft, model wording and verification count as one step each.',
  }),
  maximumSeconds: Type.Integer({
    minimum: 1,
    maximum: 86_400,
    description: 'Time that settled steps may have taken together, by the clock of the service.',
  }),
}
const modelTokens = {
  maximumModelTokens: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2_000_000,
      description:
        'Total token budget for the language model. Default: 50,000. 0 disables the model.',
    }),
  ),
}
export const AgentRunBudget = named('AgentRunBudget', closed({ ...budget, ...modelTokens }))

export const runKinds = ['HEALTH', 'PROPOSAL_REVIEW', 'PUBLIC_PROJECT', 'RESEARCH'] as const
export type AgentRunKind = (typeof runKinds)[number]
export const RunKind = oneOf(
  runKinds,
  'HEALTH rates a market or a vault by its newest records; PROPOSAL_REVIEW reviews a proposal without a decision; PUBLIC_PROJECT reports on frozen observations of a public token; RESEARCH compares under a protocol that a person approves.',
)

/** A proposal in its current version. */
export const ProposalSubject = closed({ proposal: Ref })

const StepName = Type.String({
  maxLength: 40,
  description:
    'PLAN, CAPTURE, TRIAL and the key of the trial after a colon, DRAFT, NARRATE or VERIFY.',
  examples: ['TRIAL:baseline'],
})

const CapturedSource = closed({
  kind: oneOf(
    ['RECORD', 'ARTIFACT', 'PROTOCOL', 'REQUEST', 'JOB', 'REVIEW'],
    'A record version; bytes named by a record version; a part of the protocol; the request with its time and rules; a job result; or the full context of a decision on a proposal, now or at the previous review.',
  ),
  resourceType: orNull(Type.String()),
  id: orNull(Type.String()),
  resourceVersion: orNull(Hash),
  member: orNull(
    Type.String({ description: 'Field that holds the bytes, or part of the protocol.' }),
  ),
})

export const CapturedItem = named(
  'CapturedItem',
  closed({
    evidenceId: RecordId,
    source: CapturedSource,
    mediaType: Type.String(),
    contentHash: Hash,
    observedAt: orNull(
      Type.String({
        format: 'date-time',
        description: 'Time of the evidence; null if only the protocol contains it.',
      }),
    ),
  }),
)
export type CapturedItem = Static<typeof CapturedItem>

export const RunTrial = closed({
  trialKey: TrialKeyName,
  label: Type.String(),
  state: TrialState,
  attempts: Type.Integer({ minimum: 0, description: 'Jobs that were given it.' }),
  receiptHash: orNull(Hash),
  reason: orNull(Type.String({ maxLength: 600 })),
})

const Halt = closed({
  code: Type.String({
    description: 'BUDGET_EXHAUSTED, JOB_CANCELLED, or the error code of the failure.',
  }),
  step: StepName,
  detail: Type.String({ maxLength: 600 }),
})

export const Revision = closed({
  hash: Hash,
  at: Timestamp,
  actor: Type.String({ maxLength: 160 }),
  diff: list(Type.String({ maxLength: 300, description: 'JSON Pointer to the difference.' }), 64),
})

/**
 * A long analysis that survives crashes and can be steered. Anyone can reproduce its result. It
 * executes no transaction.
 */
export const AgentRun = named(
  'AgentRun',
  measured(
    closed({
      kind: RunKind,
      question: orNull(ResearchQuestion),
      subject: Type.Union([
        ...HealthSubject.anyOf,
        ProposalSubject,
        ProjectSubject,
        closed({ study: Ref }),
        closed({ protocolArtifact: Hash }, { description: 'The protocol that the request gave.' }),
      ]),
      mode: Mode,
      phase: Phase,
      nextStep: orNull(StepName),
      halted: orNull(Halt),
      budget: AgentRunBudget,
      usage: closed({ steps: Count, milliseconds: Count, modelTokens: Type.Optional(Count) }),
      steps: list(closed({ step: StepName, settledAt: Timestamp, outcomeHash: Hash }), 200, {
        description: 'Journal of settled steps, which never run again.',
      }),
      plan: orNull(
        closed({
          draftArtifact: Hash,
          protocolHash: orNull(Hash),
          clarifications: list(ResearchClarification, 8),
          feasibility: list(ResearchFeasibility, 4),
          revisions: list(Revision, 64),
        }),
      ),
      protocolHash: orNull(Hash),
      captureHash: orNull(Hash),
      capture: orNull(
        measured(
          closed({ items: list(CapturedItem, 1024), coveragePips: Pips, gaps: list(Gap, 64) }),
          { coveragePips: pips('Coverage', 'HIGHER'), gaps: unitless },
        ),
      ),
      trials: list(RunTrial, 4),
      draftHash: orNull(Hash),
      narration: Type.Optional(Narration),
      report: Type.Union([ResearchReport, HealthReport, PublicProjectReport, Type.Null()], {
        description:
          'Null until the report exists, and always for a proposal review: each read of its result checks the permission.',
      }),
      resultHash: orNull(Hash),
      ...noAuthority,
    }),
    {
      subject: unitless,
      budget: unitless,
      usage: unitless,
      plan: unitless,
      trials: unitless,
      narration: unitless,
      // Research results define their own units; other results cite values from records.
      report: unitless,
    },
  ),
)
export type AgentRun = Static<typeof AgentRun>

export const AgentRunRecord = versioned('AgentRun', AgentRun)
