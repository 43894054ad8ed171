/**
 * Development key of the bundled release. Its seed is the SHA-256 of
 * `liquidity-os/development-release-key`, so anyone can sign with it and production rejects it.
 */
export const developmentPublicKey = 'dYhDgasi2EMVyK9dGHHSJ2yvU6QBiPbtAWEGpqHLh4c='
export const developmentPrivateKey =
  'MC4CAQAwBQYDK2VwBCIEIH8bWsCr0CXhd9Gg75LnExesi8S2Kn6eUSjbac5c6Qap'
