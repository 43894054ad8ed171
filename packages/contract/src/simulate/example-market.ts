/** Market of the examples: an off-chain pool with a price near 1, hourly over one day. */
export const exampleMarket = {
  kind: 'MONTE_CARLO',
  pair: {
    chainId: 1,
    base: '0xC18360217D8F7Ab5e7c516566761Ea12Ce7F9D72',
    quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    baseDecimals: 18,
    quoteDecimals: 18,
  },
  market: {
    inline: {
      kind: 'UNISWAP_V3',
      feePips: 3000,
      tickSpacing: 60,
      sqrtPriceX96: '79228162514264337593543950336',
      ticks: [
        {
          index: -6000,
          liquidityGross: '10000000000000000000000',
          liquidityNet: '10000000000000000000000',
        },
        {
          index: 6000,
          liquidityGross: '10000000000000000000000',
          liquidityNet: '-10000000000000000000000',
        },
      ],
    },
  },
  horizonSeconds: 86_400,
  stepSeconds: 3600,
  price: { kind: 'GBM', annualVolatilityPips: 800_000 },
  capital: {
    base: '10000000000000000000',
    quote: '10000000000000000000',
    normalization: 'EQUAL_VALUE',
  },
} as const
