/**
 * The key that the shipped release is signed with, for development. Its seed is the SHA-256 of
 * `liquidity-os/development-release-key`, so anybody can sign with it and production refuses it.
 */
export const developmentPublicKey = 'dYhDgasi2EMVyK9dGHHSJ2yvU6QBiPbtAWEGpqHLh4c='
export const developmentPrivateKey =
  'MC4CAQAwBQYDK2VwBCIEIH8bWsCr0CXhd9Gg75LnExesi8S2Kn6eUSjbac5c6Qap'
