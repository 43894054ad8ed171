-- Once, as an administrator of the server: the owner of the tables, the login of the service, and the database.
-- psql -v owner_password=… -v service_password=… -f roles.sql
create role liquidity_owner login createrole password :'owner_password';
create role liquidity_service login password :'service_password';
create database liquidity owner liquidity_owner;
