import { contract, type FieldErrors } from '@liquidity-os/contract'
import { type HandlerRequest, handle, type Outcome } from '../../../http/handler.ts'
import { limits } from '../../../limits.ts'
import { ChainError } from '../../../outside/chain/chain-error.ts'
import { probeProvider } from '../../../outside/chain/probe.ts'
import { allowHint, endpointFault } from '../../../outside/outbound/endpoint-fault.ts'
import {
  clientOf,
  configurationOf,
  findProvider,
  type ProviderPayload,
} from '../../../outside/providers/chain-providers.ts'
import {
  isShownOnly,
  type KeptEndpoint,
  keptEndpoint,
} from '../../../outside/providers/provider-endpoint.ts'
import { secretFor } from '../../../outside/providers/provider-secret.ts'
import type { Current } from '../../../store/records/tenant-records.ts'
import { recordReply } from '../../record-reply.ts'
import { providers } from './records.ts'

const operation = contract.putOperatingSystemProvider
type Request = HandlerRequest<typeof operation>

/** Registers a provider, or replaces the generation that If-Match names of the one with the same id. */
export default handle(operation, async (request): Promise<Outcome> => {
  const { body, records, fail } = request
  const faults = configurationFaults(request)
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
          `must name the generation to replace: "${current.record.resourceVersion}"`,
        ],
      },
    })
  }
  const reached = endpointOf(request, current?.record.payload ?? null)
  const status = body.status ?? 'ACTIVE'
  const probed = status === 'ACTIVE' ? await probe(request, reached) : null
  const payload: ProviderPayload = {
    providerId: body.payload.providerId,
    kind: body.payload.kind,
    displayName: body.payload.displayName,
    ...reached,
    configuration: body.payload.configuration,
    credentialReference: body.payload.credentialReference ?? null,
    publicKeys: [...(body.payload.publicKeys ?? [])].sort(),
    attestation: null,
    capabilities: probed?.capabilities ?? current?.record.payload.capabilities ?? [],
    probe: probed?.probe ?? current?.record.payload.probe ?? null,
  }
  return append(request, current, status, payload)
})

/** The address that is asked for; one that is sent back as it is shown is the one that is kept. */
function endpointOf(
  { body, services, organizationId, fail }: Request,
  before: ProviderPayload | null,
): KeptEndpoint {
  const endpoint = body.payload.endpoint ?? null
  if (endpoint === null || !isShownOnly(endpoint)) {
    return keptEndpoint(services.sealing, organizationId, endpoint)
  }
  const { sealedEndpoint } = before ?? {}
  if (sealedEndpoint !== undefined && before?.endpoint === endpoint) {
    return { endpoint, sealedEndpoint }
  }
  throw fail('LIQUIDITY_PROVIDER_CONFIGURATION_INVALID', {
    fieldErrors: {
      'payload.endpoint': [
        'must be the whole address; "/…" only stands for the sealed rest of the same provider',
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

/** What a kind needs beyond the schema. */
function configurationFaults(request: Request): FieldErrors {
  const { payload } = request.body
  const { services, organizationId } = request
  if (payload.kind !== 'CHAIN_RPC') {
    // A kind whose family is not served yet cannot be probed, and nothing unprobed is admitted.
    return { 'payload.kind': [`must be CHAIN_RPC in this release, got ${payload.kind}`] }
  }
  const faults: FieldErrors = {}
  const fault = payload.endpoint
    ? endpointFault(payload.endpoint, services.config, {
        allowHttp: services.config.environment === 'development',
      })
    : null
  if (fault) faults['payload.endpoint'] = [fault]
  else if (payload.endpoint && payload.credentialReference?.startsWith('sealed:')) {
    const place = { organizationId, host: new URL(payload.endpoint).hostname }
    if (secretFor(payload.credentialReference, place, services.sealing) === null) {
      faults['payload.credentialReference'] = [
        `must be sealed for this organization and the host ${place.host}; seal the secret again`,
      ]
    }
  }
  const { chainId, finality, timeoutMilliseconds, ...unknown } = payload.configuration
  const isNumber = (value: unknown, low: number, high: number) =>
    Number.isInteger(value) && Number(value) >= low && Number(value) <= high
  if (!payload.endpoint) faults['payload.endpoint'] = ['is required for CHAIN_RPC']
  if (!isNumber(chainId, 1, Number.MAX_SAFE_INTEGER)) {
    faults['payload.configuration.chainId'] = [`must be a chain id, got ${JSON.stringify(chainId)}`]
  }
  const most = limits.providerConfirmations
  if (finality !== undefined && finality !== 'finalized' && !isNumber(finality, 1, most)) {
    faults['payload.configuration.finality'] = [
      `must be "finalized" or 1 to ${most} confirmations, got ${JSON.stringify(finality)}`,
    ]
  }
  const { providerTimeoutLeastMilliseconds: low, providerTimeoutMostMilliseconds: high } = limits
  if (timeoutMilliseconds !== undefined && !isNumber(timeoutMilliseconds, low, high)) {
    faults['payload.configuration.timeoutMilliseconds'] = [
      `must be ${low} to ${high}, got ${JSON.stringify(timeoutMilliseconds)}`,
    ]
  }
  for (const name of Object.keys(unknown)) {
    faults[`payload.configuration.${name}`] = ['is not a member of this configuration']
  }
  return faults
}

/**
 * Asks a chain provider for its chain and its finalized block; what it answers is kept as evidence. Other
 * kinds are probed by the families that use them.
 */
async function probe(
  { body, services, organizationId, now, fail }: Request,
  reached: KeptEndpoint,
) {
  const configuration = configurationOf(body.payload)
  if (!configuration) return null
  const credentialReference = body.payload.credentialReference ?? null
  const asked = { ...reached, credentialReference }
  const client = await clientOf(asked, configuration, services, { organizationId })
  try {
    const { checks, facts, capabilities } = await probeProvider(client, configuration)
    const failed = checks.filter(({ ok }) => !ok)
    if (failed.length > 0) {
      throw fail('LIQUIDITY_PROVIDER_PROBE_FAILED', {
        fieldErrors: Object.fromEntries(
          failed.map(({ code, expected, observed }) => [
            code,
            [`expected ${expected}, observed ${observed}`],
          ]),
        ),
      })
    }
    return {
      capabilities: [...capabilities],
      probe: {
        at: new Date(now).toISOString(),
        checks: checks.map((check) => ({ ...check })),
        facts: { ...facts },
      },
    }
  } catch (error) {
    if (!(error instanceof ChainError)) throw error
    throw fail('LIQUIDITY_PROVIDER_PROBE_FAILED', {
      fieldErrors: {
        'payload.endpoint': [unreachable(error, reached.endpoint)],
      },
      cause: error,
    })
  }
}

/** Why a node gave no answer, and who can change that; nothing that the node wrote. */
function unreachable({ facts }: ChainError, endpoint: string | null): string {
  const { reason, method, httpStatus, rpcCode, network } = facts
  if (reason === 'ADDRESS_REFUSED') {
    return `is not asked, since its address is not public; ${allowHint(endpoint ?? '')}`
  }
  const causes = [
    method && `asked ${method}`,
    httpStatus && `HTTP ${httpStatus}${httpHint(httpStatus)}`,
    rpcCode && `JSON-RPC error ${rpcCode}`,
    network,
  ].filter((cause) => cause !== undefined)
  return `did not answer as a chain node: ${[reason, ...causes].join(', ')}`
}

const httpHint = (status: number) =>
  status === 401 || status === 403 ? ' (is the key in the address or the secret right?)' : ''
