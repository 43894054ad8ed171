import { contract, type FieldErrors } from '@liquidity-os/contract'
import { canonicalizeAnyNumber } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { contentHashOf } from '../../../store/artifacts/content-hash.ts'
import { compile, type StrategyPayload } from './compile.ts'
import { definitionOf, mappedOf, unmappedOf } from './legacy-document.ts'
import { strategies } from './records.ts'

/** Converts a v1 document to a draft strategy and stores the document bytes under their hash. */
export default handle(contract.wrapLegacyStrategyDefinition, async (request): Promise<Outcome> => {
  const { body, records, fail } = request
  const { v1Kind, v1Document, v1EvidenceHash, incidents } = body.payload
  const content = Buffer.from(canonicalizeAnyNumber(v1Document))
  const contentHash = contentHashOf(content)
  if (contentHash !== v1EvidenceHash) {
    throw fail('LIQUIDITY_LEGACY_HASH_MISMATCH', {
      fieldErrors: {
        'payload.v1EvidenceHash': [
          `must be ${contentHash}, the hash of the document, got ${v1EvidenceHash}`,
        ],
      },
    })
  }
  const faults = validateIncident(incidents ?? [], request.now)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_LEGACY_INCIDENT_INVALID', { fieldErrors: faults })
  }
  const unmapped = unmappedOf(body.payload)
  const material = unmapped.filter((member) => member.material)
  if (material.length > 0) {
    const fieldErrors: FieldErrors = Object.fromEntries(
      material
        .slice(0, limits.fieldErrors)
        .map(({ path, detail }) => [`payload.v1Document.${path}`, [detail]]),
    )
    throw fail('LIQUIDITY_LEGACY_UNMAPPED', { fieldErrors })
  }
  const definition = definitionOf(body.payload)
  const compilation = await compile(records, definition, 'definition')
  const wrapper = {
    v1Kind,
    v1EvidenceHash,
    artifactHash: contentHash,
    mapped: mappedOf(v1Kind),
    unmapped: unmapped.map(({ path, detail }) => ({ path, material: false as const, detail })),
    ...(incidents ? { incidents } : {}),
  }
  const { sealed, change } = strategies.first(records, {
    status: 'DRAFT',
    payload: {
      definition,
      compilation,
      wrapper,
      executionPerformed: false,
      executionAuthorityGranted: false,
    } satisfies StrategyPayload,
    reason: body.reason,
    evidenceHashes: [...new Set([v1EvidenceHash, ...(body.evidenceHashes ?? [])])],
    event: 'strategy.wrapped',
    eventPayload: { v1Kind, v1EvidenceHash, irHash: compilation.irHash },
  })
  const { id, resourceType, resourceVersion } = sealed.record
  const producer = { resourceType, id, resourceVersion }
  const artifact = { contentHash, mediaType: 'application/json', content, producer }
  return {
    data: { strategy: sealed.record, compilation, wrapper },
    change: { ...change, artifacts: [artifact] },
  }
})

/** Validates incidents, by field. @param now milliseconds since 1970 */
function validateIncident(incidents: readonly contract.LegacyIncident[], now: number): FieldErrors {
  const faults = incidents.flatMap(
    ({ evidenceHash, openedAt, endedAt }, index): [string, string[]][] => {
      const at = `payload.incidents.${index}`
      const first = incidents.findIndex((one) => one.evidenceHash === evidenceHash)
      const isEarly = endedAt !== null && Date.parse(endedAt) < Date.parse(openedAt)
      const last = Math.max(Date.parse(openedAt), Date.parse(endedAt ?? openedAt))
      return [
        ...(first === index
          ? []
          : [fault(`${at}.evidenceHash`, `must differ from the hash of incident ${first}`)]),
        ...(isEarly
          ? [fault(`${at}.endedAt`, `must be ${openedAt} or later, got ${endedAt}`)]
          : last > now
            ? [fault(`${at}.${endedAt ? 'endedAt' : 'openedAt'}`, 'must not be in the future')]
            : []),
      ]
    },
  )
  return Object.fromEntries(faults.slice(0, limits.fieldErrors))
}

const fault = (field: string, message: string): [string, string[]] => [field, [message]]
