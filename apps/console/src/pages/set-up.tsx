import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useChange } from '../api/changes.ts'
import { usePlace } from '../api/queries.ts'
import type { Job } from '../api/records.ts'
import { read } from '../api/send.ts'
import { refusalOf } from '../declared/refusals.ts'
import { wordOf } from '../fields/meaning.ts'
import { percentOf, shortDecimal } from '../fields/numbers.ts'
import formStyles from '../forms/form.module.css'
import { ChangeButton } from '../ui/button.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { Panel, Progress, Skeleton } from '../ui/parts.tsx'
import { State } from '../ui/state.tsx'
import styles from './pages.module.css'

interface Provider {
  id: string
  status: string
  payload: {
    providerId: string
    kind: string
    endpoint: string | null
    configuration: { chainId?: number }
    capabilities: string[]
    probe: { facts: Record<string, string> } | null
  }
}
interface Token {
  address: string
  symbol: string | null
  decimals: number | null
}
interface Market {
  kind: string
  address: string
  tokens: Token[]
  heldOfBase: string | null
  venueId: string | null
  profile: {
    name: string
    feePips: number
    pair: { base: string; baseDecimals: number }
    read: { startBlock: number }
  } | null
  missing: string[]
}
interface Detection {
  block: { number: number }
  address: string
  is: 'MARKET' | 'TOKEN' | 'CONTRACT' | 'NOTHING'
  token: Token | null
  markets: Market[]
  limitations: string[]
}

const reason = 'Set up in the console'
const said: Readonly<Record<string, string>> = {
  NO_STATE_BEFORE_HEAD:
    'The provider does not remember when the market began: it is watched from today on. An archive node would give its past.',
  POOLS_NOT_SEARCHED:
    'The provider answers no query over all blocks, so pools were not searched. Paste the address of a pool instead.',
  MORE_MARKETS: 'There are more markets; these hold most of the token.',
}

/** From an address of a chain to a market that is watched: where the chain is read, what is watched, and its first index. */
export function SetUp() {
  const asked = useSearch({ strict: false }) as Readonly<Record<string, string>>
  const navigate = useNavigate()
  const set = (more: Record<string, string>) =>
    void navigate({ to: '.', search: { ...asked, ...more } as never, replace: true })
  const { data: providers } = useQuery(chainsQuery(usePlace().organizationId))
  const chains = new Set(providers?.map(({ payload }) => payload.configuration.chainId))
  // Where there is one chain, nobody has to say which.
  const [only = null] = chains.size === 1 ? chains : []
  const chainId = Number(asked.chain) || only
  return (
    <>
      <header className={styles.head}>
        <div>
          <h1>Set up a market</h1>
          <p>Where the chain is read, which market is watched, and its first index.</p>
        </div>
      </header>
      <div className={styles.stack}>
        <ChainStep chainId={chainId} onChain={(chain) => set({ chain: String(chain) })} />
        {chainId === null ? null : (
          <MarketStep
            chainId={chainId}
            address={asked.address ?? ''}
            onAddress={(address) => set({ address, job: '', venue: '' })}
            onWatched={(venue, job) => set({ venue, job })}
          />
        )}
        {asked.venue ? <WatchStep venueId={asked.venue} jobId={asked.job ?? ''} /> : null}
      </div>
    </>
  )
}

const chainsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [organizationId, 'providers', 'chains'],
    queryFn: () =>
      read<Provider[]>(organizationId, '/providers', { status: 'ACTIVE', limit: 100 }).then((all) =>
        all.filter(({ payload }) => payload.kind === 'CHAIN_RPC'),
      ),
  })

/** One line that is typed, with its button; what the service says of it stands below. */
function Line({
  label,
  help,
  value,
  action,
  refusal,
  type = 'text',
  placeholder,
  onSend,
}: {
  label: string
  help: ReactNode
  value: string
  action: string
  refusal: string | null
  type?: 'text' | 'url'
  placeholder: string
  onSend: (text: string) => void
}) {
  const id = useId()
  const [text, setText] = useState(value)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (refusal === null && text.trim() !== '') onSend(text.trim())
  }
  return (
    <form className={formStyles.field} onSubmit={send} noValidate>
      <label htmlFor={id}>{label}</label>
      <div className={formStyles.entry}>
        <input
          id={id}
          type={type}
          value={text}
          placeholder={placeholder}
          aria-describedby={`${id}-help`}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => setText(target.value)}
        />
        <ChangeButton
          type="submit"
          look="primary"
          refusal={refusal ?? (text.trim() === '' ? 'Nothing is typed yet.' : null)}
          onClick={() => {}}
        >
          {action}
        </ChangeButton>
      </div>
      <p id={`${id}-help`} className={formStyles.help}>
        {help}
      </p>
    </form>
  )
}

function ChainStep({
  chainId,
  onChain,
}: {
  chainId: number | null
  onChain: (chainId: number) => void
}) {
  const { organizationId, role } = usePlace()
  const { change, post, fault, isSending } = useChange()
  const providers = useQuery(chainsQuery(organizationId))
  const connect = (endpoint: string) =>
    void change(async () => {
      const host = URL.canParse(endpoint) ? new URL(endpoint).hostname : 'chain'
      const taken = new Set(providers.data?.map(({ payload }) => payload.providerId))
      const payload = {
        ...{ providerId: nameFor(host, taken), kind: 'CHAIN_RPC', displayName: host, endpoint },
        configuration: {},
      }
      const made = await post<Provider>({ path: '/providers', body: { payload, reason } })
      onChain(Number(made.payload.configuration.chainId))
    })
  const known = providers.data ?? []
  return (
    <Panel title="1. Where the chain is read">
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
                    Chain {chain}, final #
                    {Number(facts.finalizedBlock ?? 0).toLocaleString('en-US')} when it was asked
                    {payload.capabilities.includes('ARCHIVE') ? ', remembers its past' : ''}
                  </small>
                </span>
                {chain === chainId ? (
                  <small>in use</small>
                ) : (
                  <ChangeButton isSmall onClick={() => onChain(Number(chain))}>
                    Use chain {chain}
                  </ChangeButton>
                )}
              </li>
            )
          })}
        </ul>
      )}
      <Line
        // One that was taken leaves nothing of itself in the field.
        key={known.length}
        label={known.length === 0 ? 'RPC address' : 'Another RPC address'}
        help="Of a node of any chain with the Ethereum interface. A key in it is sealed, and never shown again. Its chain is asked for."
        value=""
        type="url"
        placeholder="https://"
        action={isSending ? 'Asking the node' : 'Connect'}
        refusal={refusalOf(role, 'operate') ?? (isSending ? 'The node is asked.' : null)}
        onSend={connect}
      />
      {fault === null ? null : <Fault error={fault} />}
    </Panel>
  )
}

/** A name for a provider that nobody had to think of: its host, and a number where that is taken. */
function nameFor(host: string, taken: ReadonlySet<string>): string {
  const plain = host
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
  const base = /^[a-z]/.test(plain) ? plain : `node-${plain}`
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`
    if (!taken.has(name)) return name
  }
}

function MarketStep({
  chainId,
  address,
  onAddress,
  onWatched,
}: {
  chainId: number
  address: string
  onAddress: (address: string) => void
  onWatched: (venueId: string, jobId: string) => void
}) {
  const { organizationId, role } = usePlace()
  const found = useQuery({
    queryKey: [organizationId, 'market-detections', chainId, address],
    queryFn: () => read<Detection>(organizationId, '/market-detections', { chainId, address }),
    enabled: /^0x[0-9a-fA-F]{40}$/.test(address),
    retry: false,
    staleTime: 60_000,
  })
  const isAddress = address === '' || /^0x[0-9a-fA-F]{40}$/.test(address)
  return (
    <Panel title="2. What is watched">
      <Line
        label="Token or pool"
        help={
          isAddress
            ? 'The address of a pool, or of a token whose pools are then found.'
            : 'An address is 0x and forty digits from 0 to 9 and a to f.'
        }
        value={address}
        placeholder="0x"
        action={found.isFetching ? 'Looking' : 'Find'}
        refusal={
          refusalOf(role, 'prepare') ?? (found.isFetching ? 'The chain is being read.' : null)
        }
        onSend={onAddress}
      />
      {found.error ? (
        <Fault error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isFetching ? (
        <Skeleton lines={3} />
      ) : found.data ? (
        <Found key={found.data.address} found={found.data} onWatched={onWatched} />
      ) : null}
    </Panel>
  )
}

const nothingFound: Readonly<Record<Detection['is'], string>> = {
  NOTHING: 'There is no contract at this address on this chain.',
  CONTRACT: 'This is a contract, and neither a token nor a market that can be watched.',
  MARKET: 'This market cannot be watched yet.',
  TOKEN: 'No market of this token was found in the factories that are known here.',
}

function Found({
  found,
  onWatched,
}: {
  found: Detection
  onWatched: (venueId: string, jobId: string) => void
}) {
  const { organizationId, role } = usePlace()
  const { change, post, fault, isSending } = useChange()
  const group = useId()
  const open = found.markets.filter(({ profile, venueId }) => profile && !venueId)
  const [chosen, setChosen] = useState(open[0]?.address ?? '')
  const market = open.find(({ address }) => address === chosen)
  const watch = () =>
    void change(async () => {
      const body = { payload: market?.profile, status: 'VALIDATED', reason }
      const venue = await post<{ id: string }>({ path: '/venues', body })
      const job = await post<{ id: string }>({
        path: `/venues/${venue.id}/index-jobs`,
        body: { payload: { mode: 'FULL' }, reason },
      })
      onWatched(venue.id, job.id)
    })
  return (
    <>
      {found.token ? (
        <p>
          {found.token.symbol ?? 'A token without a plain symbol'}, {found.token.decimals} decimals;
          read at #{found.block.number.toLocaleString('en-US')}.
        </p>
      ) : null}
      {found.markets.length === 0 ? <Notice tone="hold" title={nothingFound[found.is]} /> : null}
      {found.limitations.map((one) => (
        <Notice key={one} tone="warn" title={said[one] ?? wordOf(one)} />
      ))}
      <ul className={styles.lines}>
        {found.markets.map((one) => (
          <li key={one.address}>
            <input
              type="radio"
              name={group}
              id={`${group}-${one.address}`}
              checked={one.address === chosen}
              disabled={one.profile === null || one.venueId !== null}
              onChange={() => setChosen(one.address)}
            />
            <label htmlFor={`${group}-${one.address}`}>
              <MarketLine market={one} />
            </label>
            {one.venueId ? (
              <Link to={`/o/${organizationId}/venues/${one.venueId}` as never}>
                Watched already
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
      {market ? (
        <p>
          <ChangeButton
            look="primary"
            icon="scan-eye"
            refusal={
              refusalOf(role, 'operate') ?? (isSending ? 'Its checks are being made.' : null)
            }
            onClick={watch}
          >
            {isSending ? 'Checking' : 'Watch'}
          </ChangeButton>
        </p>
      ) : null}
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}

function MarketLine({
  market: { kind, profile, missing, heldOfBase, tokens, address },
}: {
  market: Market
}) {
  const base = tokens.find((token) => token.address === profile?.pair.base)
  const held =
    heldOfBase !== null && base && base.decimals !== null
      ? `${shortDecimal(BigInt(heldOfBase), base.decimals, 6)} ${base.symbol ?? 'of the token'}`
      : null
  return (
    <>
      <strong>{profile?.name ?? tokens.map(({ symbol }) => symbol ?? '?').join(' / ')}</strong>
      <br />
      <small>
        {[
          wordOf(kind),
          profile ? `fee ${percentOf(profile.feePips)}` : null,
          held ? `holds ${held}` : null,
          profile ? `since #${profile.read.startBlock.toLocaleString('en-US')}` : null,
          ...missing,
        ]
          .filter(Boolean)
          .join(', ')}
        <br />
        {address}
      </small>
    </>
  )
}

/** The first index of a venue as it runs, and where to go then. */
function WatchStep({ venueId, jobId }: { venueId: string; jobId: string }) {
  const { organizationId } = usePlace()
  const home = `/o/${organizationId}`
  const job = useQuery({
    queryKey: [organizationId, 'jobs', jobId],
    queryFn: () =>
      read<Job[]>(organizationId, '/jobs', { limit: 50 }).then(
        (jobs) => jobs.find(({ id }) => id === jobId) ?? null,
      ),
    enabled: jobId !== '',
    refetchInterval: ({ state }) =>
      state.data && ['QUEUED', 'RUNNING'].includes(state.data.status) ? 1_000 : false,
  })
  return (
    <Panel title="3. Its first index">
      {job.error ? <Fault error={job.error} onRetry={() => void job.refetch()} /> : null}
      {job.data ? (
        <>
          <p role="status">
            <State of={job.data.status} />{' '}
            {job.data.status === 'COMPLETED'
              ? 'Every event from the first block on is read and proven by replay.'
              : job.data.status === 'FAILED'
                ? job.data.error?.message
                : 'Its events are read, block after block. This goes on without this page.'}
          </p>
          <Progress pips={job.data.progressPips} label="First index" />
        </>
      ) : (
        <Skeleton lines={2} />
      )}
      <p className={styles.actions}>
        <Link to={`${home}/venues/${venueId}` as never}>The venue</Link>
        {job.data?.status === 'COMPLETED' ? (
          <Link to={`${home}/market` as never}>Its market</Link>
        ) : null}
        <Link to={`${home}/study-ranges` as never} search={{ venue: venueId } as never}>
          Study ranges in it
        </Link>
      </p>
    </Panel>
  )
}
