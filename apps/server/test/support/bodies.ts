/** An address that no other number gives, in lower case, which every address may be sent in. */
export const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`

/** A venue that can be created without a chain. */
export const venueBody = (number: number) => ({
  payload: {
    schemaVersion: 'venue-profile-v1' as const,
    name: `Venue ${number}`,
    kind: 'UNISWAP_V3' as const,
    pair: {
      chainId: 31337,
      base: '0x000000000000000000000000000000000000dEaD',
      quote: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
      baseDecimals: 18,
      quoteDecimals: 18,
    },
    address: addressOf(number),
    feePips: 3000,
    tickSpacing: 60,
    read: {
      providerId: 'local-chain',
      startBlock: 0,
      finality: 'finalized' as const,
      logChunkBlocks: 2000,
      cadenceSeconds: 300,
    },
    tags: [],
  },
  reason: 'For the test',
})

/** A personal bookmark. */
export const bookmarkBody = (number: number) => ({
  payload: { chainId: 1, address: addressOf(number), label: `Project ${number}` },
  reason: 'For the test',
})

export const webhookBody = (
  url = 'https://hooks.example.com/liquidity',
  eventKinds: string[] = ['*'],
) => ({ payload: { url, eventKinds }, reason: 'For the test' })

export const keyBody = (scopes: readonly string[], kind = 'API_KEY') =>
  ({ label: 'Test', kind, scopes, reason: 'For the test' }) as never
