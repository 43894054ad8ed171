import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import {
  findProvider,
  findProviderOfNode,
  type ProviderPayload,
} from '../../../integrations/providers/chain-providers.ts'
import {
  isShownOnly,
  nodeKey,
  openEndpoint,
  type SealedEndpoint,
  sealEndpoint,
} from '../../../integrations/providers/provider-endpoint.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { probeByKind, withChain } from './probe-by-kind.ts'
import { providers } from './records.ts'
import { validateConfiguration } from './validate-configuration.ts'

const operation = contract.putOperatingSystemProvider
type Request = HandlerRequest<typeof operation>

/** Registers a provider, or replaces the version in If-Match of the provider with the same id. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, fail } = request
  const faults = validateConfiguration(request)
  if (Object.keys(faults).length > 0) {
    throw fail('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID', { fieldErrors: faults })
  }
  const id = await findProvider(records, body.payload.providerId)
  const current = id
    ? await records.reviewed<ProviderPayload>('Provider', id, request.precondition)
    : null
  if (current?.record.status === 'REVOKED') throw fail('LIQUIDITY_PROVIDER_TERMINAL')
  if (current && request.precondition === null) {
    throw fail('LIQUIDITY_STUDIO_PRECONDITION_REQUIRED', {
      message: `The provider ${body.payload.providerId} exists as ${current.record.id}.`,
      fieldErrors: {
        'headers.if-match': [
          `must name the version to replace: "${current.record.resourceVersion}"`,
        ],
      },
    })
  }
  const reached = endpointOf(request, current?.record.payload ?? null)
  const status = body.status ?? 'ACTIVE'
  const requested: ProviderPayload = {
    providerId: body.payload.providerId,
    kind: body.payload.kind,
    displayName: body.payload.displayName,
    ...reached,
    configuration: body.payload.configuration,
    credentialReference: body.payload.credentialReference ?? null,
    publicKeys: [...(body.payload.publicKeys ?? [])].sort(),
    attestation: null,
    capabilities: current?.record.payload.capabilities ?? [],
    probe: current?.record.payload.probe ?? null,
  }
  const isNewNode = current === null || !hasSameEndpoint(request, current, requested)
  if (status !== 'ACTIVE') {
    if (isNewNode && status === 'PAUSED') await requireNewNode(request, requested)
    return append(request, current, status, requested)
  }
  const found = await withChain(request, requested)
  if (isNewNode) await requireNewNode(request, found)
  return append(request, current, status, { ...found, ...(await probeByKind(request, found)) })
})

/** False for the first registration of a provider, and for a URL that differs from the stored one. */
function hasSameEndpoint(
  { services: { sealing }, organizationId }: Request,
  current: Current<ProviderPayload>,
  requested: ProviderPayload,
): boolean {
  const before = current.record.payload
  if (requested.endpoint === null || before.endpoint === null) return true
  if (
    requested.sealedEndpoint === before.sealedEndpoint &&
    requested.endpoint === before.endpoint
  ) {
    return true
  }
  try {
    const [one, other] = [before, requested].map((payload) =>
      nodeKey(openEndpoint(payload, organizationId, sealing)),
    )
    return one === other
  } catch (error) {
    // The stored URL is unreadable, so the request replaces it.
    if (error instanceof Failure) return false
    throw error
  }
}

/** A node must not confirm its own data under a second name. */
async function requireNewNode(
  { records, services, fail, body }: Request,
  payload: ProviderPayload,
): Promise<void> {
  if (payload.kind !== 'CHAIN_RPC') return
  const { chainId } = payload.configuration
  const first = await findProviderOfNode(records, services, {
    ...payload,
    chainId: typeof chainId === 'number' ? chainId : undefined,
  })
  if (first === null || first.payload.providerId === body.payload.providerId) return
  throw fail('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID', {
    fieldErrors: {
      'payload.endpoint': [
        `must differ from the endpoint of ${first.payload.providerId}; a second name of one node confirms nothing. Replace ${first.payload.providerId} with If-Match, or register another node`,
      ],
    },
  })
}

/** Endpoint URL of the request. If it equals the masked display form, the stored URL remains. */
function endpointOf(
  { body, services, organizationId, fail }: Request,
  before: ProviderPayload | null,
): SealedEndpoint {
  const endpoint = body.payload.endpoint ?? null
  if (endpoint === null || !isShownOnly(endpoint)) {
    return sealEndpoint(services.sealing, organizationId, endpoint)
  }
  const { sealedEndpoint } = before ?? {}
  if (sealedEndpoint !== undefined && before?.endpoint === endpoint) {
    return { endpoint, sealedEndpoint }
  }
  throw fail('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID', {
    fieldErrors: {
      'payload.endpoint': [
        'must be the full URL; "/…" only represents the encrypted part of the same provider',
      ],
    },
  })
}

function append(
  { body, records }: Request,
  current: Current<ProviderPayload> | null,
  status: string,
  payload: ProviderPayload,
): Outcome {
  const version = {
    status,
    payload,
    reason: body.reason,
    evidenceHashes: body.evidenceHashes ?? [],
  }
  if (current) {
    const event = status === 'REVOKED' ? 'provider.revoked' : 'provider.replaced'
    const { sealed, change } = providers.next(records, current, { ...version, event })
    return recordReply(sealed, change, 200)
  }
  const { sealed, change } = providers.first(records, { ...version, event: 'provider.registered' })
  return recordReply(sealed, change, 201)
}
