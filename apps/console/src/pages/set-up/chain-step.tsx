import { queryOptions, useQuery } from '@tanstack/react-query'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { chainName } from '../../fields/value.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { State } from '../../ui/state.tsx'
import styles from '../pages.module.css'
import { capabilityLines, learnedLimits } from '../providers/node-texts.ts'
import { nodeHealthQuery } from '../providers/nodes.ts'
import { nameFor } from '../providers/provider-name.ts'

import { Line } from './line.tsx'
import { type Provider, reason } from './responses.ts'

interface ChainOffer {
  readonly chainId: number
  readonly name: string
  readonly endpoint: string
}

/** Active providers. */
export const providersQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'providers', 'active'],
    queryFn: () => read<Provider[]>(organizationId, '/providers', { status: 'ACTIVE', limit: 100 }),
  })

/** Providers that are nodes of a chain. */
export const chainsQuery = (organizationId: string) => ({
  ...providersQuery(organizationId),
  select: (all: Provider[]) => all.filter(({ payload }) => payload.kind === 'CHAIN_RPC'),
})

/** Chains with a provider; the service reads markets on these. */
export const chainIdsOf = (providers: readonly Provider[] | undefined): readonly number[] => [
  ...new Set(providers?.map(({ payload }) => Number(payload.configuration.chainId))),
]

/** Connects an RPC provider, or selects the chain of a connected one. */
export function ChainStep({
  chainId,
  onChain,
}: {
  chainId: number | null
  onChain: (chainId: number) => void
}) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const providers = useQuery(chainsQuery(organizationId))
  const connect = (endpoint: string) =>
    void change(async () => {
      const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : 'chain'
      const taken = new Set(providers.data?.map(({ payload }) => payload.providerId))
      const payload = {
        providerId: nameFor(host, taken),
        kind: 'CHAIN_RPC',
        displayName: host,
        endpoint,
        configuration: {},
      }
      const made = await post<Provider>({ path: '/providers', body: { payload, reason } })
      onChain(Number(made.payload.configuration.chainId))
    })
  const known = providers.data ?? []
  const offers = useQuery({
    queryKey: [organizationId, 'chain-offers'],
    queryFn: () => read<ChainOffer[]>(organizationId, '/chain-offers'),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const open = (offers.data ?? []).filter(({ chainId: chain }) =>
    known.every(({ payload }) => Number(payload.configuration.chainId) !== chain),
  )
  const disabledReason =
    permissionReason(role, 'operate') ?? (isSending ? 'Waiting for the node.' : null)
  return (
    <>
      {providers.error ? (
        <Fault error={providers.error} onRetry={() => void providers.refetch()} />
      ) : null}
      {known.length === 0 ? null : (
        <ul className={styles.lines}>
          {known.map(({ id, payload }) => {
            const { chainId: chain } = payload.configuration
            const facts = payload.probe?.facts ?? {}
            return (
              <li key={id}>
                <State of="ACTIVE" />
                <span>
                  {payload.endpoint}
                  <br />
                  <small>
                    {chainName(String(chain))}, finalized block #
                    {Number(facts.finalizedBlock ?? 0).toLocaleString('en-US')} at the latest check
                    {payload.capabilities.includes('ARCHIVE') ? ', archive node' : ''}
                  </small>
                  <LearnedOfKey id={id} />
                </span>
                {chain === chainId ? (
                  <small>Selected</small>
                ) : (
                  <ChangeButton isSmall onClick={() => onChain(Number(chain))}>
                    Select chain {chain}
                  </ChangeButton>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Line
        // A new key clears the field after a provider is added.
        key={known.length}
        label={known.length === 0 ? 'RPC URL' : 'Another RPC URL'}
        help="URL of an EVM JSON-RPC node. The service encrypts it and detects the chain."
        value=""
        type="url"
        placeholder="https://"
        action={isSending ? 'Connecting…' : 'Connect'}
        disabledReason={disabledReason}
        onSend={connect}
      />
      {open.length === 0 ? null : (
        <p className={styles.actions}>
          <span>or</span>
          {open.map(({ chainId: chain, name, endpoint }) => (
            <ChangeButton
              key={chain}
              disabledReason={disabledReason}
              onClick={() => connect(endpoint)}
            >
              Connect {name}
            </ChangeButton>
          ))}
        </p>
      )}
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}

/** Learned limits and missing capabilities of a node and its key. */
function LearnedOfKey({ id }: { id: string }) {
  const { organizationId } = useMembership()
  const { data: health } = useQuery(nodeHealthQuery(organizationId, id))
  if (!health) return null
  const limits = learnedLimits(health).map(({ text }) => text)
  const lacks = capabilityLines(health).flatMap(({ isServed, text }) => (isServed ? [] : [text]))
  const texts = limits.length === 0 ? ['No limits found so far.', ...lacks] : [...limits, ...lacks]
  return (
    <>
      <br />
      <small>{texts.join(' ')}</small>
    </>
  )
}
