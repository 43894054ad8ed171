import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { isControlLive } from '../../plan/treasury-projections/api.ts'
import { currentSources } from '../../sources.ts'
import { assembledLimits, assembledOptions, type TreasurySources } from './assemble-treasury.ts'
import { isAssumption, requireAction } from './assumption-options.ts'
import { boundPack, refuse } from './bind-pack.ts'
import { figureAt, runwayPointer } from './figure-at.ts'
import type { InputOption, PackInput } from './pack-types.ts'
import { decisionPacks } from './records.ts'

const named = [
  'projection',
  'reconciliation',
  'stress',
  'capitalRequirement',
  'unlockImpact',
] as const
const maxOptions = 8

export default decisionPacks.create(
  contract.createDecisionPackFromTreasury,
  async ({ body, actor, records }) => {
    const present = named.flatMap((name) => {
      const ref = body[name]
      return ref ? [{ name, ref, at: name }] : []
    })
    const found = await currentSources(records, present)
    const sources = Object.fromEntries(
      present.map(({ name }, index) => [name, found[index] as VersionedRecord]),
      // The projection is required, and the schema fixes each kind.
    ) as unknown as TreasurySources
    await requireLiveControl(records, sources)
    requireOneForm(body)
    if (body.actions !== undefined) requireRunway(sources)
    const options =
      body.options ?? withMissingRunways(sources, assembledOptions(sources, body.actions))
    if (body.options === undefined) requireChoice(options.length)
    const { question, context, criteria, recommendation, quorum, decisionBy, expiresAt } = body
    const input: PackInput = {
      question,
      options,
      decisionBy,
      evidence: present.map(({ ref }) => ({ source: ref })),
      ...(context === undefined ? {} : { context }),
      ...(criteria === undefined ? {} : { criteria }),
      ...(recommendation === undefined ? {} : { recommendation }),
      ...(quorum === undefined ? {} : { quorum }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    }
    const limits = body.limits ?? (body.options ? undefined : assembledLimits(sources))
    const payload = await boundPack(
      records,
      { ...input, ...(limits ? { limits } : {}) },
      { origin: 'TREASURY', dissent: [], authors: [actor.userId], moved: [] },
      '',
    )
    if (recommendation) {
      const { optionId } = recommendation
      requireAction(payload, { optionId, at: 'recommendation.optionId' })
    }
    return {
      payload,
      event: 'decision_pack.created',
      eventPayload: { origin: payload.origin, sealHash: payload.sealHash },
    }
  },
)

/**
 * @throws Failure 422 if custody evidence of the projection or the stress study has expired since
 */
async function requireLiveControl(
  records: TenantRecords,
  { projection, stress }: TreasurySources,
): Promise<void> {
  for (const [name, record] of Object.entries({ projection, stress })) {
    if (record === undefined) continue
    const { payload } = record as VersionedRecord<contract.TreasuryProjection>
    if (await isControlLive(records, payload)) continue
    refuse('LIQUIDITY_DECISION_PACK_INVALID', {
      [name]: ['must use live custody evidence: admit new evidence, then compute again'],
    })
  }
}

/**
 * @throws Failure 422 for actions together with complete options, because options already contain
 * spends
 */
function requireOneForm({ options, actions }: { options?: unknown; actions?: unknown }): void {
  if (options === undefined || actions === undefined) return
  refuse('LIQUIDITY_DECISION_PACK_INVALID', {
    actions: ['must be omitted if options are set'],
  })
}

/** @throws Failure 422 for actions on a projection that has no runway of controlled holdings to spend from */
function requireRunway({ projection }: TreasurySources): void {
  if (hasRunway(projection)) return
  refuse('LIQUIDITY_DECISION_PACK_INVALID', {
    actions: [
      'must use a projection with a runway of controlled holdings: enter holdings, then project again',
    ],
  })
}

/**
 * States as a risk that an action has no runway after it, because its cost is unknown or in another
 * token.
 */
function withMissingRunways(
  { projection }: TreasurySources,
  options: readonly InputOption[],
): InputOption[] {
  if (!hasRunway(projection)) return [...options]
  const risk = `No runway after it: its cost is unknown or not in ${projection.payload.quoteKey}, the quote of the projection.`
  return options.map((option) =>
    option.statusQuo ||
    isAssumption(option) ||
    option.metrics.some(({ afterSpend }) => afterSpend !== undefined)
      ? option
      : { ...option, risks: [...option.risks, risk] },
  )
}

const hasRunway = (projection: TreasurySources['projection']): boolean =>
  projection.payload.scenarios.some(
    (_, index) =>
      figureAt(projection, { pointer: runwayPointer(index), afterSpend: '0' }) !== undefined,
  )

/** @throws Failure 422 if the records give too few or too many alternatives */
function requireChoice(count: number): void {
  if (count >= 2 && count <= maxOptions) return
  const message =
    count < 2
      ? 'is required if the records give only one alternative'
      : `is required if the records give more than ${maxOptions} alternatives`
  refuse('LIQUIDITY_DECISION_PACK_INVALID', { options: [`${message}, got ${count}`] })
}
