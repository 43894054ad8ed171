import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { openAdmissions } from './admissions.ts'
import { compile, type StrategyPayload } from './compile.ts'
import { withLapses } from './lapses.ts'

/** Statuses that a strategy may be given; a strategy is never ACTIVE, running is an autonomy policy's matter. */
const moves: Readonly<Record<string, readonly string[]>> = {
  DRAFT: ['DRAFT', 'VALIDATED', 'REVOKED'],
  VALIDATED: ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'],
  PAUSED: ['DRAFT', 'VALIDATED', 'PAUSED', 'REVOKED'],
}

export default handle(contract.supersedeStrategies, async (request): Promise<Outcome> => {
  const { params, body, actor, records, fail } = request
  const current = await records.reviewed<StrategyPayload>(
    'StrategyDefinitionV2',
    params.id,
    request.precondition,
  )
  const from = current.record.status
  if (from === 'REVOKED') throw fail('LIQUIDITY_STRATEGY_TERMINAL')
  const definition = body.payload ?? current.record.payload.definition
  const isChanged = body.payload !== undefined
  // Another definition is another strategy to be judged: what was validated was the one before.
  const to = body.status ?? (isChanged ? 'DRAFT' : from)
  if (!moves[from]?.includes(to)) {
    throw fail('LIQUIDITY_STRATEGY_TRANSITION_REFUSED', {
      fieldErrors: { status: [`a strategy that is ${from} cannot become ${to}`] },
    })
  }
  if (body.status !== undefined && to !== 'DRAFT' && !actor.permissions.has('operate')) {
    throw fail('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: { status: [`${to} needs an operator`] },
    })
  }
  const isJudged = isChanged || to === 'VALIDATED'
  const compilation = isJudged
    ? await compile(records, definition)
    : current.record.payload.compilation
  if (to === 'VALIDATED' && !compilation.ok) throw fail('LIQUIDITY_STRATEGY_NOT_COMPILED')
  const { sealed, change } = records.supersede<StrategyPayload>(current, {
    status: to,
    payload: { ...current.record.payload, definition, compilation },
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? current.record.evidenceHashes,
    event: isJudged ? 'strategy.compiled' : `strategy.${to.toLowerCase()}`,
    eventPayload: { irHash: compilation.irHash },
  })
  const compilationEvidence = change.events[0]?.event
  const { resourceVersion } = sealed
  const context = { resourceVersion, packageRevoked: false, now: request.now }
  const open = await openAdmissions(records, params.id, context)
  return {
    data: { strategy: sealed.record, compilation, compilationEvidence },
    etag: resourceVersion,
    change: withLapses(records, change, sealed.record, open),
  }
})
