import Type, { type Static } from 'typebox'
import { Block, Ref, SourceRef } from '../envelope.ts'
import { MarketQualityScore, UsableDepth } from '../intelligence/scores.ts'
import { Pair } from '../intelligence/venues.ts'
import { MandateKpi } from '../operate/market-maker-mandate.ts'
import {
  Address,
  AtomicAmount,
  ChainId,
  closed,
  Hash,
  list,
  named,
  oneOf,
  orNull,
  Pips,
  RecordId,
  Timestamp,
} from '../scalars.ts'
import { ReportFormatName } from '../simulate/study-reports.ts'
import { ConsentScope } from './consent-scopes.ts'
import { SharedPolicyLimits } from './partner-packet.ts'

/** Vault data of one consent scope. Null without an active consent; `withheld` then lists the scope. */
function shown<const S extends Parameters<typeof orNull>[0]>(name: string, value: S) {
  return orNull(
    named(
      name,
      closed({
        consent: Ref,
        asOf: orNull(Timestamp),
        expiresAt: orNull(Timestamp),
        source: orNull(SourceRef),
        value: orNull(value),
        missing: orNull(
          Type.String({
            maxLength: 200,
            description: 'Reason for a missing value or omitted list items; null if complete.',
          }),
        ),
      }),
    ),
  )
}

export const SharedVault = named(
  'SharedVault',
  closed({
    issuerOrganizationId: Type.String({ maxLength: 160 }),
    vaultId: RecordId,
    scopes: list(ConsentScope, 8, { description: 'Currently granted scopes.' }),
    withheld: list(ConsentScope, 8, { description: 'Scopes not granted.' }),
    summary: shown(
      'SharedSummary',
      closed({
        chainId: ChainId,
        pair: Pair,
        qualification: oneOf(
          ['QUALIFIED', 'UNQUALIFIED', 'STALE'],
          'STALE: last read over one hour ago.',
        ),
        snapshot: Block,
      }),
    ),
    prepare: shown(
      'SharedSafe',
      closed({ chainId: ChainId, safeAddress: Address, pair: Pair, controlEpoch: AtomicAmount }),
    ),
    score: shown(
      'SharedScore',
      closed({
        state: MarketQualityScore.properties.state,
        scorePips: MarketQualityScore.properties.scorePips,
        window: MarketQualityScore.properties.window,
        usableDepthByTradeSize: orNull(list(UsableDepth, 12)),
      }),
    ),
    reports: shown(
      'SharedReports',
      list(
        closed({ contentHash: Hash, formats: list(ReportFormatName, 8), createdAt: Timestamp }),
        16,
        { description: 'Signed reports of the pair, newest first.' },
      ),
    ),
    mandates: shown(
      'SharedMandates',
      list(
        closed({
          obligations: list(MandateKpi, 32),
          windows: list(
            closed({
              kpiId: Type.String({ maxLength: 40 }),
              from: Timestamp,
              to: Timestamp,
              verdict: oneOf(
                ['MET', 'BREACHED', 'INDETERMINATE'],
                'Published result of the window.',
              ),
              coveragePips: Pips,
            }),
            64,
            { description: 'Closed windows, newest first.' },
          ),
        }),
        16,
        { description: 'Active mandates of the pair.' },
      ),
    ),
    policy: shown('SharedPolicy', SharedPolicyLimits),
    treasury: shown(
      'SharedTreasury',
      list(
        closed({
          assetKey: Type.String({ maxLength: 200 }),
          total: AtomicAmount,
          asOf: Timestamp,
        }),
        100,
        { description: 'Vault holdings, summed per asset.' },
      ),
    ),
  }),
)
export type SharedVault = Static<typeof SharedVault>

export const PartnerPortfolio = named(
  'PartnerPortfolio',
  closed({
    partnerId: RecordId,
    asOf: Timestamp,
    vaults: list(SharedVault, 200),
    isWhole: Type.Boolean({
      description: 'True if the list contains every vault; otherwise query each issuer separately.',
    }),
    executionAuthorityGranted: Type.Literal(false),
  }),
)
export type PartnerPortfolio = Static<typeof PartnerPortfolio>
