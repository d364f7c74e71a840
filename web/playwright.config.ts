import { defineConfig } from "@playwright/test";

// The specs need a running `griot serve`; GRIOT_URL says where.
export default defineConfig({
  testDir: "e2e",
  workers: 1,
  timeout: 60_000,
  // A busy machine may miss a deadline once; a spec that needs its second try is reported as flaky.
  retries: process.env["CI"] ? 1 : 0,
  use: {
    baseURL: process.env["GRIOT_URL"] ?? "http://127.0.0.1:4747",
    viewport: { width: 1280, height: 800 },
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      // Without a graphics card, WebGL is drawn by the processor.
      args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    },
  },
});
