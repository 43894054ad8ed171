import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership, useSymbols, venuesQuery } from '../../api/queries.ts'
import { askExtension, readAll } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { unitsOf } from '../../fields/units.tsx'
import { Choice, TextField } from '../../forms/fields.tsx'
import formStyles from '../../forms/form.module.css'
import type { SearchParams } from '../../routes.tsx'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList, toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import {
  type Chosen,
  type ConnectorKey,
  connectors,
  type Draft,
  dialects,
  emptyDraft,
  exchangeNames,
  type MarketPair,
  missingEntry,
  safeNetworks,
  usualName,
  usualUrl,
} from './connectors.ts'
import { nameFor } from './provider-name.ts'

interface Made {
  readonly id: string
}

const labelsOf = <Key extends string>(named: Readonly<Record<Key, { label: string }>>) =>
  Object.fromEntries(
    Object.entries<{ label: string }>(named).map(([key, { label }]) => [key, label]),
  ) as Record<Key, string>

const isConnector = (key: string | undefined): key is ConnectorKey =>
  key !== undefined && Object.hasOwn(connectors, key)

/** Adds a data provider: its kind, address and key, checked by one request before it is saved. */
export function NewProvider() {
  const search = useSearch({ strict: false }) as SearchParams
  const [key, setKey] = useState<ConnectorKey>(isConnector(search.kind) ? search.kind : 'NODE')
  return (
    <>
      <p className={styles.trail}>
        <PageLink to={toList('providers')}>Providers</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>Add a provider</h1>
          <p>Connects a source of data. The service checks it before it saves it.</p>
        </div>
      </header>
      <Panel title="Provider">
        <div className={formStyles.form}>
          <Choice
            label="Kind"
            value={key}
            options={labelsOf(connectors)}
            help={connectors[key].summary}
            onChange={setKey}
          />
          <ProviderForm key={key} connector={key} />
        </div>
        <p className={styles.foot}>
          Price feeds and signing keys have more settings.{' '}
          <PageLink to={toList('providers', { form: 'putOperatingSystemProvider' })}>
            Open the full form
          </PageLink>
        </p>
      </Panel>
    </>
  )
}

function ProviderForm({ connector: key }: { connector: ConnectorKey }) {
  const { organizationId, role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const open = useOpenPage()
  const [draft, setDraft] = useState<Draft>({ ...emptyDraft, url: usualUrl(key, emptyDraft) })
  const providers = useQuery({
    queryKey: [organizationId, 'providers', 'names'],
    queryFn: () => readAll<{ payload: { providerId: string } }>(organizationId, '/providers'),
  })
  const { fields, payload } = connectors[key]
  const markets = useMarketPairs()
  const market = markets.pairs.get(draft.market)
  const pool = markets.venues.get(draft.venue)
  const symbols = market?.symbols ?? null
  // A retry after a lost response sends the same bytes, so that it adds no second provider.
  const prepared = useRef<{ readonly draft: Draft; readonly body: object } | null>(null)
  const set = (change: Partial<Draft>) => {
    const next = { ...draft, ...change }
    const isUsual = draft.url === usualUrl(key, draft)
    setDraft(isUsual && change.url === undefined ? { ...next, url: usualUrl(key, next) } : next)
  }
  const disabledReason =
    permissionReason(role, 'operate') ??
    (isSending ? 'Waiting for the provider.' : missingEntry(key, draft, { symbols }))
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (disabledReason !== null) return
    void change(async () => {
      if (prepared.current?.draft !== draft) {
        prepared.current = { draft, body: await prepare() }
      }
      const { body } = prepared.current
      const made = await post<Made>({ path: '/providers', body })
      await open(toRecord('providers', made.id))
    })
  }
  const prepare = async () => {
    const { host, hostname } = URL.canParse(draft.url)
      ? new URL(draft.url)
      : { host: draft.exchange, hostname: draft.exchange }
    const usual = usualName(key, draft, pool?.symbols ?? null)
    const name = draft.name.trim() || usual || host
    const secret = draft.secret.trim()
    const sealed =
      secret === '' ? {} : await seal(organizationId, { host: hostname, secret: secret })
    const taken = new Set(providers.data?.map((one) => one.payload.providerId))
    return {
      payload: {
        providerId: nameFor(name, taken),
        displayName: name,
        ...payload(draft, {
          pair: market?.pair ?? null,
          symbols,
          venue: pool?.venue ?? null,
          since: new Date(Date.now() - historyMilliseconds).toISOString(),
        }),
        ...sealed,
      },
      reason: 'Added in the console',
    }
  }
  return (
    <form className={formStyles.form} onSubmit={add} noValidate>
      {fields.map((field) => (
        <DraftField
          key={field}
          field={field}
          draft={draft}
          connector={key}
          markets={markets}
          onChange={set}
        />
      ))}
      <div className={styles.actions}>
        <ChangeButton
          type="submit"
          look="primary"
          disabledReason={disabledReason}
          onClick={() => {}}
        >
          {isSending ? 'Checking…' : 'Check and add'}
        </ChangeButton>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </form>
  )
}

/** Encrypts a secret for one host of the organization; the service stores no copy. */
const seal = (organizationId: string, secret: { host: string; secret: string }) =>
  askExtension<{ data: { credentialReference: string } }>(
    `/auth/organizations/${encodeURIComponent(organizationId)}/sealed-secrets`,
    secret,
  ).then(({ data }) => data)

function DraftField({
  field,
  draft,
  connector,
  markets,
  onChange,
}: {
  field: keyof Draft
  draft: Draft
  connector: ConnectorKey
  markets: Markets
  onChange: (change: Partial<Draft>) => void
}) {
  switch (field) {
    case 'dialect':
      return (
        <Choice
          label="API"
          value={draft.dialect}
          options={labelsOf(dialects)}
          onChange={(dialect) => onChange({ dialect })}
        />
      )
    case 'exchange':
      return (
        <Choice
          label="Exchange"
          value={draft.exchange}
          options={labelsOf(exchangeNames)}
          onChange={(exchange) => onChange({ exchange })}
        />
      )
    case 'symbol':
      return (
        <TextField
          label="Symbol"
          value={draft.symbol}
          help="Spot market of the exchange, such as ETH/USD for ETH priced in USD."
          onChange={(symbol) => onChange({ symbol })}
        />
      )
    case 'market':
      return (
        <Choice
          label="Market"
          value={draft.market}
          options={{
            '': 'Select…',
            ...optionsOf(markets.pairs),
          }}
          help="Watched market with the same two assets. Its mandates can use the order book."
          onChange={(market) => onChange({ market })}
        />
      )
    case 'venue':
      return (
        <Choice
          label="Pool"
          value={draft.venue}
          options={{ '': 'Select…', ...optionsOf(markets.venues) }}
          help="Watched pool on Ethereum, OP Mainnet, BNB Smart Chain, Polygon, Base or Arbitrum."
          onChange={(venue) => onChange({ venue })}
        />
      )
    case 'safeNetwork':
      return (
        <Choice
          label="Network"
          value={draft.safeNetwork}
          options={labelsOf(
            safeNetworks as unknown as Record<Draft['safeNetwork'], { label: string }>,
          )}
          onChange={(safeNetwork) => onChange({ safeNetwork })}
        />
      )
    case 'model':
      return (
        <TextField
          label="Model"
          value={draft.model}
          help="Name as the provider writes it. The service finds the settings that it accepts."
          onChange={(model) => onChange({ model })}
        />
      )
    case 'url':
      return (
        <TextField
          label="URL"
          value={draft.url}
          help={
            connector === 'NODE'
              ? 'With the key, if the provider puts it there. The service encrypts it and detects the chain.'
              : 'Starts with https://.'
          }
          onChange={(url) => onChange({ url })}
        />
      )
    case 'secret':
      return <SecretField value={draft.secret} onChange={(secret) => onChange({ secret })} />
    case 'publicKeys':
      return (
        <TextField
          label="Public key"
          value={draft.publicKeys}
          help="Ed25519, 32 bytes in Base64. Separate several keys with spaces."
          onChange={(publicKeys) => onChange({ publicKeys })}
        />
      )
    case 'name':
      return (
        <TextField
          label="Name"
          value={draft.name}
          help={nameHelp[connector] ?? 'Optional. Default: the host.'}
          onChange={(name) => onChange({ name })}
        />
      )
  }
}

const nameHelp: Partial<Record<ConnectorKey, string>> = {
  CUSTODIAN: 'Name of the custodian.',
  EXCHANGE: 'Optional. Default: the exchange.',
}

/** History of prices that GeckoTerminal serves without an account: about half a year. */
const historyMilliseconds = 180 * 86_400_000

interface NamedMarket {
  readonly label: string
  readonly symbols: { readonly base: string; readonly quote: string }
}

interface Markets {
  /** Pairs of the watched venues, by key. */
  readonly pairs: ReadonlyMap<string, NamedMarket & { readonly pair: MarketPair }>
  /** Venues by id. */
  readonly venues: ReadonlyMap<
    string,
    NamedMarket & { readonly venue: NonNullable<Chosen['venue']> }
  >
}

const optionsOf = (named: ReadonlyMap<string, { readonly label: string }>) =>
  Object.fromEntries([...named].map(([key, { label }]) => [key, label]))

function useMarketPairs(): Markets {
  const { organizationId } = useMembership()
  const { data: venues = [] } = useQuery(venuesQuery(organizationId))
  const known = useSymbols()
  const pairs = new Map<string, NamedMarket & { pair: MarketPair }>()
  const pools = new Map<string, NamedMarket & { venue: NonNullable<Chosen['venue']> }>()
  for (const { id, payload } of venues) {
    const { pair, address, name } = payload
    const { base, quote } = unitsOf(pair, known)
    const key = `${pair.chainId}-${pair.base}-${pair.quote}`.toLowerCase()
    if (base === null || quote === null) continue
    const symbols = { base: base.symbol, quote: quote.symbol }
    pairs.set(key, { label: `${symbols.base} / ${symbols.quote}`, symbols, pair })
    if (`${pair.chainId}` in safeNetworks) {
      pools.set(id, { label: `${symbols.base}: ${name}`, symbols, venue: { address, pair } })
    }
  }
  return { pairs, venues: pools }
}

function SecretField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const id = useId()
  return (
    <div className={formStyles.field}>
      <label htmlFor={id}>API key</label>
      <input
        id={id}
        type="password"
        value={value}
        autoComplete="off"
        aria-describedby={`${id}-note`}
        onChange={({ target }) => onChange(target.value)}
      />
      <p id={`${id}-note`} className={formStyles.help}>
        Optional. The service encrypts it, sends it to this host only and never shows it again.
      </p>
    </div>
  )
}
