import type { contract } from '@liquidity-os/contract'
import { draftPassport } from '@liquidity-os/contract/passport-draft'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership, useSymbols } from '../../api/queries.ts'
import { read, readAll } from '../../api/send.ts'
import { type NamedVault, useNamedVaults } from '../../api/vaults.ts'
import { timeText, utcOf } from '../../fields/numbers.ts'
import { unitsOf } from '../../fields/units.tsx'
import { Choice, DayField, TextField } from '../../forms/fields.tsx'
import formStyles from '../../forms/form.module.css'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList } from '../../ui/page-link.tsx'
import { Empty, Panel, Skeleton } from '../../ui/parts.tsx'
import ui from '../../ui/ui.module.css'
import { usePairTokens } from '../makers/mandates.ts'
import styles from '../pages.module.css'
import { blockerText, cureFor } from './blockers.ts'
import { claimRows, type DisclosureFlag, disclosures } from './claim-rows.ts'
import { ClaimTable } from './claim-table.tsx'
import { findNameFault, proposePublicName } from './public-name.ts'
import { SignAndPublish } from './sign-and-publish.tsx'

type Preparation = contract.PassportPreparation

interface Provider {
  readonly status: string
  readonly resourceVersion: string
  readonly payload: {
    readonly providerId: string
    readonly kind: string
    readonly displayName: string
  }
}

interface PassportLine {
  readonly resourceVersion: string
  readonly payload: {
    readonly slug: string
    readonly vaultId: string
    readonly contentHash: string
  }
}

/** Prepares the passport of a vault: blockers, claims, and the file that the issuer signs. */
export function NewPassport() {
  const { vaults, error } = useNamedVaults()
  return (
    <>
      <p className={styles.trail}>
        <PageLink to={toList('passports')}>Passports</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>New passport</h1>
          <p>Publishes signed claims about a vault and its market.</p>
        </div>
      </header>
      {error ? (
        <Fault error={error} />
      ) : vaults === undefined ? (
        <Skeleton lines={8} />
      ) : vaults[0] === undefined ? (
        <Empty title="No vault">
          <p>A passport covers a Safe that holds liquidity. Add the Safe to the treasury first.</p>
          <PageLink
            to={toList('treasury-entries', { form: 'createTreasuryEntries' })}
            className={ui.button}
          >
            <Icon name="plus" />
            Add a Safe
          </PageLink>
        </Empty>
      ) : (
        <Preparing vaults={vaults} first={vaults[0]} />
      )}
    </>
  )
}

/** Choices of the issuer; null stands for the default. */
interface Choices {
  readonly vaultId: string
  readonly shown: ReadonlySet<DisclosureFlag>
  readonly slug: string | null
  readonly day: string | null
  readonly signerId: string | null
}

function Preparing({ vaults, first }: { vaults: readonly NamedVault[]; first: NamedVault }) {
  const { organizationName } = useMembership()
  const [choices, setChoices] = useState<Choices>({
    vaultId: first.vault.id,
    shown: new Set(),
    slug: null,
    day: null,
    signerId: null,
  })
  const { vaultId, shown } = choices
  const { signers, signer, passports, preparation, error, readAgain } = useSources(choices)
  const { pair } = (vaults.find(({ vault }) => vault.id === vaultId) ?? first).vault.payload
  const { base, quote } = usePairTokens(pair)
  const { data } = preparation
  if (error) return <Fault error={error} onRetry={readAgain} />
  if (!data || !passports) return <Skeleton lines={8} />
  const findPassport = (name: string) => passports.find(({ payload }) => payload.slug === name)
  const isTaken = (name: string) => {
    const found = findPassport(name)
    return found !== undefined && found.payload.vaultId !== vaultId
  }
  const slug =
    data.current?.slug ??
    choices.slug ??
    proposePublicName(organizationName, `${base.symbol}-${quote.symbol}`, isTaken)
  const day = choices.day ?? data.latestValidUntil?.slice(0, 10) ?? ''
  const earlier = findPassport(slug)
  const otherVault = isTaken(slug)
    ? (vaults.find(({ vault }) => vault.id === earlier?.payload.vaultId)?.name ?? 'another vault')
    : null
  const slugFault = findNameFault(slug, otherVault)
  // Data of an earlier choice must not be signed.
  const isCurrent = !preparation.isPlaceholderData
  const draft =
    signer && slugFault === null && day !== '' && isCurrent
      ? draftPassport(
          { ...data, supersedesPassportHash: earlier?.payload.contentHash ?? null },
          {
            slug,
            signer: {
              providerId: signer.payload.providerId,
              resourceVersion: signer.resourceVersion,
            },
            validUntil: Date.parse(`${day}T23:59:59Z`),
          },
        )
      : null
  const pairKey = `${pair.chainId}-${pair.base}-${pair.quote}`.toLowerCase()
  return (
    <div className={styles.stack}>
      {data.claimBlockers.length > 0 ? (
        <Blockers blockers={data.claimBlockers} subject={{ vaultId, pairKey }} />
      ) : null}
      <Terms
        vaults={vaults}
        signers={signers}
        data={data}
        slugFault={slugFault}
        choices={{ ...choices, slug, day, signerId: signer?.payload.providerId ?? null }}
        onChange={(more) => setChoices((before) => ({ ...before, ...more }))}
      />
      <Panel
        title="Claims"
        note={`as of ${timeText(data.generatedAt)}`}
        actions={
          <Button
            isSmall
            disabledReason={preparation.isFetching ? 'Reading…' : null}
            onClick={readAgain}
          >
            Read again
          </Button>
        }
        isFlush
      >
        <ClaimTable rows={claimRows(data, shown, quote)} />
      </Panel>
      <SignAndPublish
        // A file of other terms must not be published: new terms start without a download.
        key={JSON.stringify([vaultId, slug, day, signer?.payload.providerId, [...shown].sort()])}
        draft={draft}
        isBlocked={data.claimBlockers.length > 0}
        ifMatch={earlier?.resourceVersion}
      />
    </div>
  )
}

/** Issuer keys, earlier passports, and the claims for the choices as the service computes them now. */
function useSources({ vaultId, shown, signerId }: Choices) {
  const { organizationId } = useMembership()
  const providers = useQuery({
    queryKey: [organizationId, 'providers', 'signers'],
    queryFn: () => read<Provider[]>(organizationId, '/providers', { limit: 100 }),
    refetchInterval: 15_000,
  })
  const passports = useQuery({
    queryKey: [organizationId, 'passports', 'named'],
    queryFn: () => readAll<PassportLine>(organizationId, '/passports'),
  })
  const signers = (providers.data ?? []).filter(
    ({ status, payload }) => status === 'ACTIVE' && payload.kind === 'SIGNER_ED25519',
  )
  const signer = signers.find(({ payload }) => payload.providerId === signerId) ?? signers[0]
  const key = signer?.payload.providerId
  const flags = disclosures.flatMap(({ flag }) => (shown.has(flag) ? [flag] : []))
  const preparation = useQuery({
    queryKey: [organizationId, 'passport-claims', vaultId, flags.join(','), key],
    queryFn: () =>
      read<Preparation>(organizationId, `/vaults/${vaultId}/passport-claims`, {
        ...Object.fromEntries(flags.map((flag) => [flag, 'true'])),
        ...(key === undefined ? {} : { signerProviderId: key }),
      }),
    enabled: providers.data !== undefined,
    placeholderData: (before, query) => (query?.queryKey[2] === vaultId ? before : undefined),
  })
  return {
    signers,
    signer,
    passports: passports.data,
    preparation,
    error: preparation.error ?? providers.error ?? passports.error,
    readAgain: () => {
      for (const query of [providers, passports, preparation]) void query.refetch()
    },
  }
}

/** Vault, public name, end, issuer key and disclosure of the passport. */
function Terms({
  vaults,
  signers,
  data: { current, latestValidUntil, generatedAt },
  slugFault,
  choices,
  onChange,
}: {
  vaults: readonly NamedVault[]
  signers: readonly Provider[]
  data: Preparation
  slugFault: string | null
  choices: Choices
  onChange: (more: Partial<Choices>) => void
}) {
  const symbols = useSymbols()
  const slug = choices.slug ?? ''
  const vaultName = ({ vault, name }: NamedVault) => {
    const { base, quote } = unitsOf(vault.payload.pair, symbols)
    return `${name} · ${base?.symbol ?? ''}/${quote?.symbol ?? ''}`
  }
  return (
    <Panel title="Passport">
      <div className={formStyles.form}>
        <div className={formStyles.members}>
          <Choice
            label="Vault"
            value={choices.vaultId}
            options={Object.fromEntries(vaults.map((one) => [one.vault.id, vaultName(one)]))}
            onChange={(vaultId) => onChange({ vaultId, day: null, slug: null })}
          />
          {current ? (
            <p className={styles.quiet}>
              Replaces the current passport of this vault, {current.slug}. Its public link stays the
              same.
            </p>
          ) : (
            <TextField
              label="Public name"
              value={slug}
              fault={slugFault}
              help="Last part of the public link. You cannot change it later."
              onChange={(text) => onChange({ slug: text })}
            />
          )}
          <DayField
            label="Valid until"
            value={choices.day ?? ''}
            min={generatedAt.slice(0, 10)}
            max={latestValidUntil?.slice(0, 10)}
            help={
              latestValidUntil === null
                ? 'The sources set the latest day when the blockers are resolved.'
                : `At most ${utcOf(latestValidUntil)}, when a source ends.`
            }
            onChange={(day) => onChange({ day })}
          />
          {signers.length > 1 && choices.signerId !== null ? (
            <Choice
              label="Issuer key"
              value={choices.signerId}
              options={Object.fromEntries(
                signers.map(({ payload }) => [payload.providerId, payload.displayName]),
              )}
              onChange={(signerId) => onChange({ signerId })}
            />
          ) : null}
        </div>
        <Disclosure shown={choices.shown} onChange={(shown) => onChange({ shown })} />
      </div>
    </Panel>
  )
}

function Disclosure({
  shown,
  onChange,
}: {
  shown: ReadonlySet<DisclosureFlag>
  onChange: (shown: ReadonlySet<DisclosureFlag>) => void
}) {
  const toggle = (flag: DisclosureFlag) => {
    const next = new Set(shown)
    if (!next.delete(flag)) next.add(flag)
    onChange(next)
  }
  return (
    <fieldset className={styles.scopes}>
      <legend>Also disclose</legend>
      {disclosures.map(({ flag, label }) => (
        <label key={flag}>
          <input type="checkbox" checked={shown.has(flag)} onChange={() => toggle(flag)} />
          {label}
        </label>
      ))}
    </fieldset>
  )
}

/** Reasons that prevent a publication, each with the action that removes it. */
function Blockers({
  blockers,
  subject,
}: {
  blockers: Preparation['claimBlockers']
  subject: { vaultId: string; pairKey: string }
}) {
  return (
    <Panel
      title={
        blockers.length === 1
          ? '1 blocker prevents a publication'
          : `${blockers.length} blockers prevent a publication`
      }
    >
      <ul className={styles.lines} aria-label="Blockers">
        {blockers.map((blocker) => {
          const cure = cureFor(blocker.code, subject)
          return (
            <li key={blocker.code}>
              <Icon name="circle-alert" />
              <span>{blockerText(blocker)}</span>
              {cure ? (
                <div className={styles.actions}>
                  <PageLink to={cure.to} className={ui.button}>
                    {cure.label}
                  </PageLink>
                </div>
              ) : null}
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
