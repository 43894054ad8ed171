import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import { joinChanges } from '../../../store/records/change.ts'
import { boundPack, decisionPacks } from '../../operate/decision-packs/api.ts'
import {
  acceptedStudy,
  earlierStudy,
  readyStudy,
  requireSoundSpec,
} from '../../simulate/studies/api.ts'
import { compile, type StrategyPayload } from '../strategies/api.ts'
import {
  type Parts,
  packOf,
  readParts,
  strategyOf,
  studySpecOf,
} from './planning/workspace-parts.ts'
import { seededKind } from './timeline/fold-timeline.ts'
import { openPlan } from './timeline/open-plan.ts'

const operation = contract.seedLaunchWorkspace
type Request = HandlerRequest<typeof operation>

/** Creates packet, strategy and study of a plan version atomically. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, fail } = request
  const named = body.launchPlanResourceVersion
  const reviewed = reviewedVersion(precondition, named, 'launchPlanResourceVersion')
  const current = await openPlan(records, params.id)
  if (reviewed === null) throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED')
  await records.reviewed('LaunchPlan', params.id, reviewed)
  await requireNone(request, reviewed)
  const parts = await readParts(records, current.record)
  const { definition, compilation, spec, pack, earlier } = await prepared(request, parts)
  const { reason } = body
  const decision = decisionPacks.first(records, {
    status: 'DRAFT',
    payload: pack,
    reason,
    event: 'decision_pack.created',
    eventPayload: { origin: pack.origin, sealHash: pack.sealHash, launchPlanId: params.id },
  })
  const strategy = records.create<StrategyPayload>('StrategyDefinitionV2', {
    status: 'DRAFT',
    payload: {
      definition,
      compilation,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    reason,
    event: 'strategy.compiled',
    eventPayload: { irHash: compilation.irHash },
  })
  const study = acceptedStudy(records, { spec, reason, evidenceHashes: [], earlier })
  const ids = {
    decisionPackId: decision.sealed.record.id,
    strategyId: strategy.sealed.record.id,
    studyId: study.sealed.record.id,
  }
  const seeded = records.note(current, seededKind, { planVersion: reviewed, ...ids })
  const change = [decision.change, strategy.change, seeded].reduce(
    (all, one) => joinChanges(all, one),
    study.change,
  )
  return {
    status: 201,
    data: {
      decisionPack: decision.sealed.record,
      strategyDraft: strategy.sealed.record,
      studyRequest: study.sealed.record,
      executionPerformed: false,
      executionAuthorityGranted: false,
    },
    change,
  }
})

/** @throws Failure 409 that names the existing workspace of the version */
async function requireNone({ params, records, fail }: Request, version: string): Promise<void> {
  const events = await records.events(params.id, { kinds: [seededKind] })
  const seeded = events.find(({ payload }) => payload.planVersion === version)
  if (!seeded) return
  const { decisionPackId, strategyId, studyId } = seeded.payload
  const message = `already has ${decisionPackId}, ${strategyId} and ${studyId}`
  throw fail('LIQUIDITY_LAUNCH_WORKSPACE_EXISTS', { fieldErrors: { id: [message] } })
}

/**
 * Prepares all records before the first write. A rejection of one is reported as an error of the
 * plan.
 */
async function prepared({ records, services, actor, now }: Request, parts: Parts) {
  try {
    const definition = strategyOf(parts)
    const compilation = await compile(records, definition, 'strategy')
    const spec = studySpecOf(parts, definition)
    requireSoundSpec(spec)
    const { awaited: threads, config } = services
    await readyStudy(records, { threads, config }, spec)
    const pack = await boundPack(records, packOf(parts, now), {
      origin: 'MANUAL',
      dissent: [],
      authors: [actor.userId],
      moved: [],
    })
    return { definition, compilation, spec, pack, earlier: await earlierStudy(records, spec) }
  } catch (error) {
    if (!(error instanceof Failure) || error.status >= 500) throw error
    const { code, message, detail } = error
    throw new Failure('LIQUIDITY_LAUNCH_WORKSPACE_INCOMPLETE', {
      fieldErrors: { ...detail.fieldErrors, id: [`${code}: ${message}`] },
    })
  }
}
