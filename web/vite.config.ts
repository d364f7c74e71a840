import { defineConfig, loadEnv } from "vite";

// `npm run dev` shows the page of a running `griot serve`; GRIOT_URL names another server.
const server = loadEnv("", ".", "GRIOT_")["GRIOT_URL"] ?? "http://127.0.0.1:4747";

export default defineConfig({
  base: "/",
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
  server: {
    proxy: { "/v1": { target: server, changeOrigin: true }, "/api": { target: server, changeOrigin: true } },
  },
});
