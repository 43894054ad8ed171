import { contract } from '@liquidity-os/contract'
import { canonicalize, type SealedRecord, type VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import type { Change } from '../../../store/records/change.ts'
import { endJobs, jobOfStep } from './advance-run.ts'
import { agentRuns, type Draft, type Protocol, type Run } from './records.ts'
import { allowedCommands, goOn, isExhausted, type Step, stopped } from './run-course.ts'
import { openJson, protocolHashOf, type SealedJson, sealJson } from './sealed-json.ts'
import { validateProtocol } from './validate-protocol.ts'

const operation = contract.applyAgentRunCommand
type Request = HandlerRequest<typeof operation>
type Command = contract.AgentRunCommand
type CommandOf<K extends Command['command']> = Extract<Command, { command: K }>

interface Made {
  readonly payload: Run
  readonly status: string
  readonly event?: string
  readonly eventDetails?: Readonly<Record<string, unknown>>
  readonly artifacts?: readonly SealedJson[]
}

const goesTo: Readonly<Record<Command['command'], string>> = {
  APPROVE_PLAN: 'ACTIVE',
  REVISE_PLAN: 'ACTIVE',
  ANSWER: 'ACTIVE',
  PAUSE: 'PAUSED',
  RESUME: 'ACTIVE',
  RETRY_STEP: 'ACTIVE',
  EXTEND_BUDGET: 'PAUSED',
  CANCEL: 'REVOKED',
}

export default agentRuns.supersede(operation, {
  to: ({ body }) => goesTo[body.command],
  admit: ({ body, fail }, before) => {
    const { phase } = before.payload
    const allowed = allowedCommands(before)
    const refuse = (field: string, message: string) =>
      fail('LIQUIDITY_AGENT_RUN_COMMAND', { fieldErrors: { [field]: [message] } })
    if (body.expectedPhase !== phase) {
      throw refuse('expectedPhase', `must be ${phase}, got ${body.expectedPhase}`)
    }
    if (allowed.includes(body.command)) return
    const now = `while the run is ${before.status} in phase ${phase}`
    throw refuse('command', `must be one of ${allowed.join(', ')} ${now}, got ${body.command}`)
  },
  decide: async (request, before) => {
    const { status, ...made } = await apply(request, before)
    const { event = 'agent_run.command_applied', eventDetails: reported } = made
    return {
      payload: made.payload,
      status,
      event,
      eventPayload: { command: request.body.command, phase: made.payload.phase, ...reported },
      complete: async (sealed: SealedRecord<Run>, change: Change) => ({
        data: {
          run: sealed.record,
          event: change.events.at(-1)?.event,
          allowedCommands: allowedCommands(sealed.record),
        },
        etag: sealed.resourceVersion,
        change: whole(request, before, sealed, change, made.artifacts ?? []),
      }),
    }
  },
})

/** The change with its ended and new jobs. */
function whole(
  { records, now }: Request,
  before: VersionedRecord<Run>,
  { record }: SealedRecord<Run>,
  change: Change,
  artifacts: readonly SealedJson[],
): Change {
  const { id, resourceType, resourceVersion, status, payload } = record
  const producer = { id, resourceType, resourceVersion }
  const wasUnderWay = before.status === 'ACTIVE' || before.status === 'DRAFT'
  return {
    ...change,
    statements: [...change.statements, ...(wasUnderWay ? endJobs(records, id) : [])],
    artifacts: artifacts.map((one) => ({ ...one, mediaType: 'application/json', producer })),
    jobs: status === 'ACTIVE' ? [jobOfStep(producer, payload, now)] : [],
  }
}

async function apply(request: Request, { payload }: VersionedRecord<Run>): Promise<Made> {
  const { body } = request
  switch (body.command) {
    case 'APPROVE_PLAN':
      return approve(request, body, payload)
    case 'REVISE_PLAN': {
      const { protocol } = body.arguments
      refuse(validateProtocol(protocol, 'arguments.protocol'))
      return redrafted(request, payload, protocol)
    }
    case 'ANSWER':
      return answer(request, body, payload)
    case 'PAUSE':
      return { payload: stopped(payload, null), status: 'PAUSED' }
    case 'RESUME':
    case 'RETRY_STEP':
      return goOn(payload, payload.nextStep as Step, 'PERSON')
    case 'EXTEND_BUDGET':
      return extend(body, payload)
    case 'CANCEL':
      return {
        payload: { ...stopped(payload, null), phase: 'CANCELLED', nextStep: null },
        status: 'REVOKED',
      }
  }
}

async function approve(
  { fail }: Request,
  { arguments: { protocolHash } }: CommandOf<'APPROVE_PLAN'>,
  payload: Run,
): Promise<Made> {
  const shown = payload.plan?.protocolHash
  if (shown !== protocolHash) {
    throw fail('LIQUIDITY_AGENT_RUN_PLAN_CHANGED', {
      fieldErrors: { 'arguments.protocolHash': [`must be ${shown}, got ${protocolHash}`] },
    })
  }
  return {
    ...goOn({ ...payload, protocolHash }, 'CAPTURE', 'PERSON'),
    event: 'agent_run.protocol_sealed',
    eventDetails: { protocolHash },
  }
}

async function answer(
  request: Request,
  { arguments: { clarificationId, answer: stated } }: CommandOf<'ANSWER'>,
  payload: Run,
): Promise<Made> {
  if (!/^(0|[1-9][0-9]{0,77})$/.test(stated)) {
    refuse({ 'arguments.answer': [`must be an amount in atoms, 0 or more, got ${stated}`] })
  }
  const draft = await draftOf(request, payload)
  const primary = { ...draft.primary, minimumEffect: stated }
  const made = await redrafted(request, payload, { ...draft, primary })
  const plan = made.payload.plan && {
    ...made.payload.plan,
    clarifications: made.payload.plan.clarifications.map((one) =>
      one.clarificationId === clarificationId ? { ...one, answer: stated } : one,
    ),
  }
  return { ...made, payload: { ...made.payload, plan } }
}

const maxRevisions = 64

/** Replaces the draft and plans the run again. */
async function redrafted(request: Request, payload: Run, protocol: Protocol): Promise<Made> {
  const { plan } = payload
  if (!plan) throw new Error('A run that awaits approval has a plan.')
  if (plan.revisions.length >= maxRevisions) {
    refuse({
      command: [`must not be a revision: the plan already has the maximum of ${maxRevisions}`],
    })
  }
  const before = await draftOf(request, payload)
  const sealed = sealJson(protocol)
  const revision = {
    hash: protocolHashOf(protocol),
    at: new Date(request.now).toISOString(),
    actor: request.actor.userId,
    diff: differences(before, protocol, '').slice(0, 64),
  }
  const revised: Run = {
    ...payload,
    question: protocol.question,
    plan: {
      ...plan,
      draftArtifact: sealed.contentHash,
      protocolHash: null,
      revisions: [...plan.revisions, revision],
    },
  }
  return {
    ...goOn(revised, 'PLAN', 'PERSON'),
    artifacts: [sealed],
    eventDetails: { hash: revision.hash },
  }
}

async function draftOf({ records }: Request, { plan }: Run): Promise<Draft> {
  if (!plan) throw new Error('A run that awaits approval has a plan.')
  return openJson<Draft>(await records.artifact(plan.draftArtifact))
}

const printed = (value: unknown) => (value === undefined ? '' : canonicalize(value))

/** JSON pointers that differ between two documents, shallow ones first. */
function differences(before: unknown, after: unknown, at: string): string[] {
  if (printed(before) === printed(after)) return []
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(before) || !isObject(after)) return [at === '' ? '/' : at.slice(0, 300)]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return names.flatMap((name) => differences(before[name], after[name], `${at}/${name}`))
}

function extend({ arguments: requested }: CommandOf<'EXTEND_BUDGET'>, payload: Run): Made {
  const budget = { ...payload.budget, ...requested }
  const narrower = (Object.keys(budget) as (keyof typeof budget)[]).flatMap((name) => {
    const usual = name === 'maximumModelTokens' ? limits.modelRunTokens : 0
    const [before, now] = [payload.budget[name] ?? usual, budget[name] ?? usual]
    return now < before ? [[`arguments.${name}`, [`must be at least ${before}, got ${now}`]]] : []
  })
  refuse(Object.fromEntries(narrower))
  const wider = { ...payload, budget }
  const isFree = payload.halted?.code === 'BUDGET_EXHAUSTED' && !isExhausted(wider)
  return { payload: isFree ? { ...wider, halted: null } : wider, status: 'PAUSED' }
}

function refuse(fieldErrors: Readonly<Record<string, string[]>>): void {
  if (Object.keys(fieldErrors).length === 0) return
  throw new Failure('LIQUIDITY_AGENT_RUN_ARGUMENTS_INVALID', { fieldErrors })
}
