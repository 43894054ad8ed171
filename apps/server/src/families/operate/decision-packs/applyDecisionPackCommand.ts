import { contract, type FieldErrors } from '@liquidity-os/contract'
import type { SealedRecord, VersionedRecord } from '@liquidity-os/evidence'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import type { Decision } from '../../record-family.ts'
import { allowedCommands, isOver } from './allowed-commands.ts'
import { isQuorum } from './approvals.ts'
import { requireAction } from './assumption-options.ts'
import { boundPack, refuse } from './bind-pack.ts'
import { agedSources, reboundTo, supersededSources } from './moved-evidence.ts'
import type { Pack } from './pack-types.ts'
import { reviewed } from './record-outcome.ts'
import { decisionPacks } from './records.ts'
import { requireAgreedBooks } from './require-agreed-books.ts'
import { sealed as withSeal } from './seal-pack.ts'

const operation = contract.applyDecisionPackCommand
type Request = HandlerRequest<typeof operation>
type Command = contract.DecisionPackCommand
type Name = Command['command']
type CommandOf<K extends Name> = Extract<Command, { command: K }>
/** The part of a command result that differs between commands. */
type Made = Pick<Decision<Pack>, 'payload' | 'status'> & {
  readonly eventDetails?: Readonly<Record<string, unknown>>
}

const goesTo: Readonly<Record<Name, string>> = {
  REVISE: 'DRAFT',
  REFRESH_EVIDENCE: 'DRAFT',
  SUBMIT: 'VALIDATED',
  APPROVE: 'VALIDATED',
  DISSENT: 'VALIDATED',
  REJECT: 'COMPLETED',
  WITHDRAW: 'REVOKED',
  RECORD_OUTCOME: 'COMPLETED',
}
const reviewing: readonly Name[] = ['APPROVE', 'DISSENT', 'REJECT']
const needRecent: readonly Name[] = ['APPROVE', 'REJECT', 'WITHDRAW']

export default decisionPacks.supersede(operation, {
  to: ({ body }) => goesTo[body.command],
  admit: (request, before) => {
    const { body, now, fail } = request
    const { status, payload } = before
    if (isOver(status, payload, now)) {
      const messages = [`must not have expired; expired at ${payload.expiresAt}`]
      throw fail('LIQUIDITY_DECISION_PACK_TRANSITION', { fieldErrors: { packId: messages } })
    }
    if (!allowedCommands(status, payload, now).includes(body.command)) {
      const message = `must be one of ${allowedCommands(status, payload, now).join(', ')} while it is ${status}, got ${body.command}`
      throw fail('LIQUIDITY_DECISION_PACK_TRANSITION', { fieldErrors: { command: [message] } })
    }
    if (reviewing.includes(body.command)) requireReviewer(request, payload)
    if (needRecent.includes(body.command)) request.requireRecentAuthentication()
  },
  decide: async (request, before) => {
    const { body, now } = request
    const { eventDetails: reported, ...made } = await apply(request, before)
    return {
      ...made,
      event: 'decision_pack.command',
      eventPayload: { command: body.command, ...reported, sealHash: made.payload.sealHash },
      complete: async (sealed: SealedRecord<Pack>, change) => ({
        data: {
          pack: sealed.record,
          event: change.events.at(-1)?.event,
          allowedCommands: allowedCommands(sealed.record.status, sealed.record.payload, now),
        },
        etag: sealed.resourceVersion,
        change,
      }),
    }
  },
})

/** The pack defines the reviewer roles; the permission depends on the caller's role. */
function requireReviewer({ actor, body }: Request, { quorum }: Pack): void {
  const { role, permissions } = actor
  if (permissions.has('review') && quorum.roles.some((one) => one === role)) return
  const message = `${body.command} requires one of ${quorum.roles.join(', ')}, got ${role}`
  throw new Failure('LIQUIDITY_ROLE_REQUIRED', { fieldErrors: { command: [message] } })
}

function apply(request: Request, before: VersionedRecord<Pack>): Promise<Made> {
  const { body } = request
  switch (body.command) {
    case 'REVISE':
      return revise(request, body, before)
    case 'REFRESH_EVIDENCE':
      return refresh(request, before.payload)
    case 'SUBMIT':
      return submit(request, before.payload)
    case 'APPROVE':
      return approve(request, body, before.payload)
    case 'DISSENT':
      return dissent(request, body, before.payload)
    case 'REJECT':
      return reject(request, body, before.payload)
    case 'WITHDRAW':
      return withdraw(body, before.payload)
    case 'RECORD_OUTCOME':
      return recordOutcome(request, body, before.payload)
  }
}

const withAuthor = ({ authors }: Pack, { actor }: Request) =>
  [...new Set([...authors, actor.userId])].slice(-32)

async function revise(
  request: Request,
  { payload }: CommandOf<'REVISE'>,
  before: VersionedRecord<Pack>,
): Promise<Made> {
  const pack = before.payload
  const { origin, dissent: storedDissent } = pack
  const { quorum = pack.quorum } = payload
  const weaker = weakerQuorum(pack.quorum, quorum)
  if (Object.keys(weaker).length > 0 && (await wasSubmitted(request.records, before.id))) {
    refuse('LIQUIDITY_DECISION_PACK_QUORUM_WEAKENED', weaker)
  }
  const authors = withAuthor(pack, request)
  const input = { ...payload, quorum }
  return {
    payload: await boundPack(request.records, input, {
      origin,
      dissent: storedDissent,
      authors,
      moved: [],
    }),
  }
}

/**
 * True if a packet was ever submitted for decision. From then on, its authors cannot relax the
 * approval rules.
 */
async function wasSubmitted(records: TenantRecords, id: string): Promise<boolean> {
  const events = await records.events(id, { kinds: ['decision_pack.command'] })
  return events.some(({ payload }) => payload.command === 'SUBMIT')
}

/** Requirements that a revised quorum would weaken. */
function weakerQuorum(before: Pack['quorum'], after: Pack['quorum']): FieldErrors {
  const further = after.roles.filter((role) => !before.roles.includes(role))
  return {
    ...(after.approvals >= before.approvals
      ? {}
      : {
          'payload.quorum.approvals': [
            `must be at least ${before.approvals}, the value of the previous version, got ${after.approvals}`,
          ],
        }),
    ...(further.length === 0
      ? {}
      : {
          'payload.quorum.roles': [
            `must be among the roles of the previous version, ${before.roles.join(', ')}, got ${further.join(', ')}`,
          ],
        }),
  }
}

async function refresh(request: Request, pack: Pack): Promise<Made> {
  const { records } = request
  const { options, evidence, moved, lost } = await reboundTo(records, pack)
  refuse('LIQUIDITY_DECISION_PACK_METRIC_UNBOUND', lost)
  const { question, context, criteria, limits, recommendation, quorum, decisionBy, expiresAt } =
    pack
  const input = {
    question,
    context,
    criteria,
    limits,
    quorum,
    decisionBy,
    expiresAt,
    options: [...options],
    evidence,
    ...(recommendation ? { recommendation } : {}),
  }
  const { origin, dissent: storedDissent } = pack
  const payload = await boundPack(records, input, {
    origin,
    dissent: storedDissent,
    authors: withAuthor(pack, request),
    moved,
  })
  return { payload, eventDetails: { moved: moved.length } }
}

async function submit({ records, now }: Request, pack: Pack): Promise<Made> {
  refuse('LIQUIDITY_DECISION_PACK_EVIDENCE_STALE', {
    ...agedSources(pack, now),
    ...(await supersededSources(records, pack)),
  })
  await requireAgreedBooks(records, pack)
  return { payload: pack }
}

async function approve(request: Request, command: CommandOf<'APPROVE'>, pack: Pack): Promise<Made> {
  const { actor, now, records, fail } = request
  const { optionId } = command
  const note = command.note ?? null
  requireOption(pack, optionId)
  requireAction(pack, { optionId, at: 'optionId' })
  if (pack.approvals.some((approval) => approval.actor.id === actor.userId)) {
    throw fail('LIQUIDITY_DECISION_PACK_ALREADY_APPROVED')
  }
  const [first] = pack.approvals
  if (first && first.optionId !== optionId) {
    throw fail('LIQUIDITY_DECISION_PACK_OPTION_CONFLICT', {
      fieldErrors: {
        optionId: [`must be ${first.optionId}, which already has approvals, got ${optionId}`],
      },
    })
  }
  refuse('LIQUIDITY_DECISION_PACK_EVIDENCE_SUPERSEDED', await supersededSources(records, pack))
  const at = new Date(now).toISOString()
  const approval: contract.DecisionApproval = {
    actor: { kind: 'SESSION', id: actor.userId },
    optionId,
    note,
    at,
    // The reviewer check above guarantees this role.
    role: actor.role as contract.DecisionApproval['role'],
    sealHash: pack.sealHash,
    isAuthor: pack.authors.includes(actor.userId),
    isLate: now > Date.parse(pack.decisionBy),
  }
  const approvals = [...pack.approvals, approval]
  const isDecided = isQuorum(pack, approvals)
  const outcome: Pack['outcome'] = isDecided
    ? { optionId, decision: 'APPROVED', approvals, rejection: null, decidedAt: at }
    : null
  return {
    payload: { ...pack, approvals, outcome },
    ...(isDecided ? { status: 'COMPLETED' } : {}),
    eventDetails: { optionId, isDecided },
  }
}

async function dissent(
  { actor, now }: Request,
  command: CommandOf<'DISSENT'>,
  pack: Pack,
): Promise<Made> {
  const { note } = command
  const optionId = command.optionId ?? null
  if (optionId !== null) requireOption(pack, optionId)
  const stated = {
    actor: { kind: 'SESSION' as const, id: actor.userId },
    note,
    optionId,
    at: new Date(now).toISOString(),
  }
  if (pack.dissent.length >= maxDissent) {
    const messages = [`already has the maximum of ${maxDissent} objections`]
    refuse('LIQUIDITY_DECISION_PACK_INVALID', { note: messages })
  }
  return {
    payload: withSeal({ ...pack, dissent: [...pack.dissent, stated] }),
    eventDetails: { optionId },
  }
}

const maxDissent = 64

async function reject(
  { actor, now }: Request,
  { note }: CommandOf<'REJECT'>,
  pack: Pack,
): Promise<Made> {
  const outcome: Pack['outcome'] = {
    optionId: null,
    decision: 'REJECTED',
    approvals: pack.approvals,
    rejection: { actor: { kind: 'SESSION', id: actor.userId }, note },
    decidedAt: new Date(now).toISOString(),
  }
  return { payload: { ...pack, outcome } }
}

async function withdraw({ note }: CommandOf<'WITHDRAW'>, pack: Pack): Promise<Made> {
  return { payload: pack, eventDetails: { note: note ?? null } }
}

async function recordOutcome(
  { records }: Request,
  { evidence }: CommandOf<'RECORD_OUTCOME'>,
  pack: Pack,
): Promise<Made> {
  const review = await reviewed(records, pack, evidence)
  return {
    payload: { ...pack, review },
    eventDetails: { metrics: evidence.map(({ metricId }) => metricId) },
  }
}

function requireOption({ options }: Pack, optionId: string): void {
  if (options.some((option) => option.optionId === optionId)) return
  refuse('LIQUIDITY_DECISION_PACK_INVALID', {
    optionId: [`must be an alternative of the packet, got ${optionId}`],
  })
}
