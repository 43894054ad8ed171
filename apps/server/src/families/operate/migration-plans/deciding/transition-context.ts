import type { contract } from '@liquidity-os/contract'
import { getAddress } from 'viem'
import type { HandlerRequest } from '../../../../http/handler.ts'
import { readHeader } from '../../../../integrations/chain/header.ts'
import {
  type MinedTransaction,
  readWalletTransaction,
} from '../../../../integrations/chain/wallet-transaction.ts'
import type { Current } from '../../../../store/records/tenant-records.ts'
import type { PlanHistory } from '../plan-events.ts'
import type {
  LiquidityLocation,
  PlanPayload,
  PlanVenue,
  Realized,
  StepRecord,
} from '../plan-types.ts'
import { locationsOf } from '../planning/make-plan.ts'
import { currentVenue } from '../planning/plan-venues.ts'
import { mintedPlaces } from '../planning/way-back.ts'
import { peripheryOf } from './periphery.ts'
import { realizedOf } from './realized.ts'
import { openReading, type Reading, readSituation, type Situation } from './situation.ts'

export type TransitionRequest = HandlerRequest<typeof contract.appendMigrationPlanTransition>

/** A plan with its history and lazily read chain state. */
export class TransitionContext {
  readonly request: TransitionRequest
  readonly current: Current<PlanPayload>
  readonly history: PlanHistory
  #venues: Promise<PlanVenue[]> | null = null
  #reading: Promise<Reading> | null = null
  #situation: Promise<Situation> | null = null

  constructor(request: TransitionRequest, current: Current<PlanPayload>, history: PlanHistory) {
    this.request = request
    this.current = current
    this.history = history
  }

  get plan(): PlanPayload {
    return this.current.record.payload
  }

  get way(): 'FORWARD' | 'BACK' {
    return this.history.machine.phase === 'ROLLING_BACK' ? 'BACK' : 'FORWARD'
  }

  get wallet() {
    return getAddress(this.plan.request.from.wallet)
  }

  get periphery() {
    return peripheryOf(this.plan.request.pair.chainId, this.plan.request.contracts)
  }

  /** A step in the current direction of the plan. */
  step(index: number): StepRecord | undefined {
    return this.way === 'FORWARD' ? this.plan.steps[index] : this.plan.back?.steps[index]
  }

  /** Sources first, then positions that the plan minted. */
  get locations(): LiquidityLocation[] {
    return [...locationsOf(this.plan.request), ...mintedPlaces(this.history.carriedOut)]
  }

  venues(): Promise<PlanVenue[]> {
    const { request, targets } = this.plan
    const ids = [
      ...request.from.positions.map(({ venue }) => venue.id),
      ...targets.map(({ venueId }) => venueId),
    ]
    this.#venues ??= Promise.all(
      [...new Set(ids)].map((id) => currentVenue(this.request.records, id)),
    )
    return this.#venues
  }

  reading(): Promise<Reading> {
    const { records, services } = this.request
    this.#reading ??= this.venues().then((venues) => openReading(records, services, venues[0]!))
    return this.#reading
  }

  /** Chain state at the finalized block, with all positions of the plan. */
  situation(): Promise<Situation> {
    this.#situation ??= this.#read()
    return this.#situation
  }

  /** The chain at an earlier block. */
  async situationAt(block: number): Promise<Situation> {
    const { client } = await this.reading()
    const head = await readHeader(client, block)
    return readSituation({ client, head }, await this.#terms())
  }

  async #read(): Promise<Situation> {
    return readSituation(await this.reading(), await this.#terms())
  }

  async #terms() {
    const { positionManager } = this.periphery
    return {
      venues: await this.venues(),
      locations: this.locations,
      wallet: this.wallet,
      positionManager,
    }
  }

  /**
   * A finalized transaction.
   *
   * @throws Failure 409 LIQUIDITY_MIGRATION_NOT_FINAL
   */
  async finalTransaction(hash: string): Promise<MinedTransaction> {
    const { client, head } = await this.reading()
    const { fail } = this.request
    const found = await readWalletTransaction(client, hash, this.wallet)
    if (found === null) {
      throw fail('LIQUIDITY_MIGRATION_NOT_FINAL', {
        fieldErrors: { 'payload.txHash': ['must have a receipt'] },
      })
    }
    const { blockNumber, blockHash } = found
    const isFinal =
      blockNumber <= head.number && (await readHeader(client, blockNumber)).hash === blockHash
    if (!isFinal) {
      throw fail('LIQUIDITY_MIGRATION_NOT_FINAL', {
        fieldErrors: {
          'payload.txHash': [
            `must be in a finalized block: it is in ${blockNumber}, the last finalized block is ${head.number}`,
          ],
        },
      })
    }
    return found
  }

  async realized(record: StepRecord, { logs }: MinedTransaction): Promise<Omit<Realized, 'depth'>> {
    const { wallet } = this
    const { pair } = this.plan.request
    const venue = (await this.venues()).find(({ id }) => id === record.venueId) ?? null
    const { positionManager } = this.periphery
    return realizedOf(logs, { wallet, pair, venue, positionManager })
  }
}
