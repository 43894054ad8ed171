/** A public read of one exchange, in the terms of ccxt. */
export type ExchangeRead =
  | {
      readonly kind: 'BOOK'
      readonly exchange: string
      readonly symbol: string
      readonly levels: number
    }
  | {
      readonly kind: 'CANDLES'
      readonly exchange: string
      readonly symbol: string
      readonly timeframe: string
      readonly sinceMilliseconds: number
      readonly count: number
    }

export interface ExchangeAnswer {
  /** JSON in the unified shapes of ccxt; amounts and prices are texts with all digits. */
  readonly body: Uint8Array
  /** Unix milliseconds of the last response of the exchange. */
  readonly receivedAt: number
  /** Time from the last request to its response, in milliseconds. */
  readonly roundTripMilliseconds: number
}

/** Reads public market data of exchanges, without any credentials. */
export interface Exchanges {
  /** @throws FeedError */
  read(request: ExchangeRead, signal?: AbortSignal): Promise<ExchangeAnswer>
  close(): Promise<void>
}
