/** Position of an event in the chain, and in its source file. */
export interface EventPlace {
  readonly block: number
  /** Seconds; null if the recording has no times. Then the oracle is constant. */
  readonly timestamp: number | null
  readonly logIndex: number | null
  /** Line in the file, from 1; null for an event without a file. */
  readonly line: number | null
}

/** A Swap log of a v3 pool: signed amounts, above zero enters the pool; the rest is the state afterwards. */
export interface SwapEvent extends EventPlace {
  readonly type: 'Swap'
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sqrtPriceX96: bigint
  readonly liquidity: bigint
  readonly tick: number
  /**
   * Amount that the caller specified, if recorded: above zero exact input, below zero exact output.
   */
  readonly amountSpecified?: bigint
  /** The protocol's part of the fee, which some forks log. */
  readonly protocolFee?: bigint
}

/** A Mint or Burn log of a v3 pool. An amount the recording lacks is null and not compared. */
export interface LiquidityEvent extends EventPlace {
  readonly type: 'Mint' | 'Burn'
  readonly owner: string
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
  readonly amount0: bigint | null
  readonly amount1: bigint | null
}

/** Every event of a v3 pool that changes its storage, and the fee change some forks know. */
export type ClmmEvent =
  | SwapEvent
  | LiquidityEvent
  | (EventPlace & {
      readonly type: 'Initialize'
      readonly sqrtPriceX96: bigint
      /** Set if recorded. */
      readonly tick?: number
    })
  | (EventPlace & {
      readonly type: 'Collect'
      readonly owner: string
      readonly tickLower: number
      readonly tickUpper: number
      readonly amount0: bigint
      readonly amount1: bigint
    })
  | (EventPlace & {
      readonly type: 'Flash'
      readonly amount0: bigint
      readonly amount1: bigint
      readonly paid0: bigint
      readonly paid1: bigint
    })
  | (EventPlace & {
      readonly type: 'SetFeeProtocol'
      readonly feeProtocol0: number
      readonly feeProtocol1: number
      /** The previous shares, if recorded. */
      readonly feeProtocol0Old?: number
      readonly feeProtocol1Old?: number
    })
  | (EventPlace & {
      readonly type: 'CollectProtocol'
      readonly amount0: bigint
      readonly amount1: bigint
    })
  | (EventPlace & {
      readonly type: 'IncreaseObservationCardinalityNext'
      readonly observationCardinalityNext: number
    })
  | (EventPlace & { readonly type: 'FeeChange'; readonly feePips: number })

/** The events of a v2 pair. A Sync precedes the Mint, Burn or Swap of the same call, as on chain. */
export type CpmmEvent =
  | (EventPlace & { readonly type: 'Sync'; readonly reserve0: bigint; readonly reserve1: bigint })
  | (EventPlace & {
      readonly type: 'Swap'
      readonly amount0In: bigint
      readonly amount1In: bigint
      readonly amount0Out: bigint
      readonly amount1Out: bigint
    })
  | (EventPlace & {
      readonly type: 'Mint' | 'Burn'
      readonly amount0: bigint
      readonly amount1: bigint
      /** Liquidity tokens minted or burned, if recorded. */
      readonly liquidity?: bigint
    })

/** A deposit or an unbalanced withdrawal of a StableSwap pool; lists have an entry per coin, in the pool's order. */
export interface StableImbalanceEvent extends EventPlace {
  readonly type: 'AddLiquidity' | 'RemoveLiquidityImbalance'
  readonly tokenAmounts: readonly bigint[]
  /** Fees per coin, atomic units; some builds log none for the first deposit. */
  readonly fees: readonly bigint[]
  /** D after the change, on the common scale: before the fees, in NG after them. */
  readonly invariant: bigint
  /** Liquidity tokens afterwards. */
  readonly tokenSupply: bigint
}

/** Every event of a StableSwap pool that changes what an amount depends on, over all builds. */
export type StableEvent =
  | StableImbalanceEvent
  | (EventPlace & {
      readonly type: 'TokenExchange'
      readonly soldId: number
      readonly tokensSold: bigint
      readonly boughtId: number
      readonly tokensBought: bigint
    })
  | (EventPlace & {
      /**
       * An exchange of the underlying coins of a metapool or lending pool. The log does not contain
       * the pool's own coins.
       */
      readonly type: 'TokenExchangeUnderlying'
    })
  | (EventPlace & {
      readonly type: 'RemoveLiquidity'
      readonly tokenAmounts: readonly bigint[]
      readonly tokenSupply: bigint
    })
  | (EventPlace & {
      readonly type: 'RemoveLiquidityOne'
      /** The coin that was paid out; only NG logs it. */
      readonly tokenId: number | null
      /** Liquidity tokens burned. */
      readonly tokenAmount: bigint
      readonly coinAmount: bigint
      /** Liquidity token supply afterwards, if the build logs it. */
      readonly tokenSupply: bigint | null
    })
  | (EventPlace & {
      /** Amplifications in the unit of the variant, times in seconds. */
      readonly type: 'RampA'
      readonly oldA: bigint
      readonly newA: bigint
      readonly initialTime: number
      readonly futureTime: number
    })
  | (EventPlace & { readonly type: 'StopRampA'; readonly a: bigint; readonly time: number })
  | (EventPlace & {
      /** The fee parameters that a build logs, parts of 10^10; null if not logged. */
      readonly type: 'NewFee'
      readonly feeX10: bigint | null
      readonly adminFeeX10: bigint | null
      readonly offpegFeeMultiplierX10: bigint | null
    })

/** Events of the pools of Uniswap. */
export type PoolEvent = ClmmEvent | CpmmEvent
/** Events of every market whose contract leaves logs that the engine replays. */
export type MarketEvent = PoolEvent | StableEvent
export type EventType = MarketEvent['type']
