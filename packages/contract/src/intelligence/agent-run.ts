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
  'What a run is at. A run that is PAUSED keeps the phase in which it goes on; only AWAITING_APPROVAL waits by itself.',
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
export const AllowedCommands = list(oneOf(runCommands, 'What may be asked of the run now.'), 8)

export const Mode = oneOf(
  ['AUTO', 'STEPWISE'],
  'AUTO goes on by itself once the plan is approved; STEPWISE stops after every settled step until RESUME.',
)

export const budget = {
  maximumSteps: Type.Integer({
    minimum: 1,
    maximum: 200,
    description:
      'Steps that may be settled; planning, capture, each trial, draft, the words of a model and verification are one each.',
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
        'Tokens that a language model may be asked for altogether; 50,000 unless said otherwise. With 0 none is asked.',
    }),
  ),
}
export const AgentRunBudget = named('AgentRunBudget', closed({ ...budget, ...modelTokens }))

export const runKinds = ['HEALTH', 'PROPOSAL_REVIEW', 'PUBLIC_PROJECT', 'RESEARCH'] as const
export type AgentRunKind = (typeof runKinds)[number]
export const RunKind = oneOf(
  runKinds,
  'HEALTH judges a market or a vault by the newest records of it; PROPOSAL_REVIEW looks through a proposal and decides nothing; PUBLIC_PROJECT tells what frozen observations of a public token say; RESEARCH compares by a protocol that a person approves.',
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
    'A version of a record; bytes that such a version names; a part of the protocol itself; what was asked, when, and by which rules it is judged; what a job came to; or everything that a decision on a proposal is about, now or at the review before.',
  ),
  resourceType: orNull(Type.String()),
  id: orNull(Type.String()),
  resourceVersion: orNull(Hash),
  member: orNull(
    Type.String({ description: 'Member that names the bytes, or part of the protocol.' }),
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
        description: 'When what it says was so; null where nothing but the protocol says it.',
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
    description: 'BUDGET_EXHAUSTED, JOB_CANCELLED, or the code of what failed.',
  }),
  step: StepName,
  detail: Type.String({ maxLength: 600 }),
})

export const Revision = closed({
  hash: Hash,
  at: Timestamp,
  actor: Type.String({ maxLength: 160 }),
  diff: list(Type.String({ maxLength: 300, description: 'JSON Pointer of what is other.' }), 64),
})

/** A long analysis that survives crashes, can be steered, and whose result anyone can rebuild. It cannot act. */
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
        description: 'The journal of what is settled and never run again.',
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
          'Null before there is one, and of a review of a proposal always: who may read that is asked whenever its result is read.',
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
      // Those of research have units of their own; the others cite figures of other records.
      report: unitless,
    },
  ),
)
export type AgentRun = Static<typeof AgentRun>

export const AgentRunRecord = versioned('AgentRun', AgentRun)
