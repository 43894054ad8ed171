import { contract, type FieldErrors } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { reviewedVersion } from '../../../http/reviewed-version.ts'
import type { StrategyInput } from '../strategies/api.ts'
import { compile, type StrategyPayload } from '../strategies/api.ts'
import type { PackagePayload } from './candidate.ts'
import { type FilledTemplate, fill, validateFilledTemplate, valuesOf } from './template.ts'

const operation = contract.seedStrategyFromApprovedPackage

/** A draft strategy from a package, with the values and the market of the caller. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { params, body, records, precondition, fail } = request
  const { resourceVersion, parameters: given, pair, venue, capital, name } = body.payload
  const reviewed = reviewedVersion(precondition, resourceVersion, 'payload.resourceVersion')
  const current = await records.reviewed<PackagePayload>('StrategyPackage', params.id, reviewed)
  const { record } = current
  if (record.status !== 'ACTIVE') throw fail('LIQUIDITY_PACKAGE_NOT_APPROVED')
  const { template, parameters, contentHash } = record.payload
  const { values, faults } = valuesOf(parameters, given)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_PACKAGE_PARAMETER_OUT_OF_BOUNDS', {
      fieldErrors: prefixed(faults, 'payload.parameters'),
    })
  }
  const filled = fill(template, parameters, values)
  const unfit = validateFilledTemplate(filled)
  if (unfit) {
    throw fail('LIQUIDITY_PACKAGE_TEMPLATE_INVALID', { fieldErrors: prefixed(unfit, 'template') })
  }
  // The cast is safe, because the schema check above passed.
  const behaviour = filled as FilledTemplate
  const definition: StrategyInput = {
    ...behaviour,
    name: name ?? behaviour.name,
    pair,
    venue,
    capital,
  }
  const compilation = await compile(records, definition, 'definition')
  const { irHash } = compilation
  const source = { id: record.id, resourceVersion: record.resourceVersion }
  const lineage = { package: source, contentHash, parameters: values, irHash }
  const { sealed, change } = records.create('StrategyDefinitionV2', {
    status: 'DRAFT',
    payload: {
      definition,
      compilation,
      lineage,
      executionPerformed: false,
      executionAuthorityGranted: false,
    } satisfies StrategyPayload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
    event: 'strategy.compiled',
    eventPayload: { irHash, packageId: record.id, contentHash },
  })
  // Also recorded on the package, which must be unchanged when the strategy is written.
  const seeded = records.note(current, 'strategy_package.seeded', {
    strategyId: sealed.record.id,
    irHash,
  })
  return {
    data: { strategy: sealed.record, compilation },
    change: { ...change, expects: seeded.expects, events: [...change.events, ...seeded.events] },
  }
})

const prefixed = (faults: FieldErrors, prefix: string): FieldErrors =>
  Object.fromEntries(
    Object.entries(faults).map(([path, messages]) => [`${prefix}.${path}`, messages]),
  )
